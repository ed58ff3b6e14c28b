SELECT p.benchmark, p.metric, r.target, r.device, p.plan_sha256, count(*), max(r.started),
  max(r.id) AS newest
FROM point p JOIN variant v ON v.id = p.variant JOIN run r ON r.id = v.run
WHERE v.commit_id <> '' AND v.dirty = 0
GROUP BY p.benchmark, p.metric, r.target, r.device, p.plan_sha256
ORDER BY p.benchmark, p.metric, newest DESC
