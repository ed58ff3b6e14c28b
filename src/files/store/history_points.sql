SELECT v.commit_id, p.ns, p.stdev_ns, p.ratio, p.low, p.high, r.started, v.describe, v.subject,
  p.verdict, b.commit_id
FROM point p JOIN variant v ON v.id = p.variant JOIN run r ON r.id = v.run
  LEFT JOIN variant b ON b.run = r.id AND b.position = 0
WHERE p.benchmark = ? AND p.metric = ? AND p.plan_sha256 = ? AND r.target = ? AND r.device || substr(p.plan_sha256, 65) = ?
  AND v.commit_id <> '' AND v.dirty = 0
ORDER BY r.id, v.position
