-- the plan of a variant ends with its environment: "AMD EPYC in torch==2.9.0 1f2e3d4c"
SELECT p.benchmark, p.metric, r.target, r.device || substr(p.plan_sha256, 65) AS place, p.plan_sha256, count(*), max(r.started),
  max(r.id) AS newest
FROM point p JOIN variant v ON v.id = p.variant JOIN run r ON r.id = v.run
WHERE v.commit_id <> '' AND v.dirty = 0
GROUP BY p.benchmark, p.metric, r.target, place, p.plan_sha256
ORDER BY p.benchmark, p.metric, newest DESC, length(p.plan_sha256)
