#!/usr/bin/env python3
"""thousand.py BIN [COUNT [PLANTED [BUDGET [RUNS [CHANGE]]]]]: a launcher suite of COUNT (1000)
benchmarks on the host target, of which PLANTED (50) became CHANGE (0.05) slower. Prints for each
run the seconds, how many of the planted changes were found, and the verdicts that are wrong.
PLANTED 0: equal code, of which nothing may be called changed."""

import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import time

SOURCE = r"""
#include <stdlib.h>
#include "bench_against/launcher.h"
struct ba_launcher_kernel { void *function, *module; unsigned turns; };
static int (*load)(void **, const void *), (*get)(void **, void *, const char *), (*unload)(void *);
static int (*enter)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
	void *, void **, void **);
static const ba_launcher_path paths[] = {@PATHS@};
static const unsigned char planted[] = {@PLANTED@};
static int my_open(ba_launcher_session **out, const ba_launcher_host *h)
{
	*(void **)&load = h->driver_symbol("cuModuleLoadData");
	*(void **)&get = h->driver_symbol("cuModuleGetFunction");
	*(void **)&unload = h->driver_symbol("cuModuleUnload");
	*(void **)&enter = h->driver_symbol("cuLaunchKernel");
	*out = (ba_launcher_session *)&load;
	return 0;
}
static int my_prepare(ba_launcher_kernel **out, ba_launcher_session *s,
	const ba_launcher_kernel_desc *d)
{
	ba_launcher_kernel *k = *out = calloc(1, sizeof(*k));
	k->turns = 1000 + (planted[atoi(d->path + 1)] ? @MORE@ : 0);
	int rc = load(&k->module, d->image);
	return (void)s, rc ? rc : get(&k->function, k->module, d->entry);
}
static int my_launch(ba_launcher_kernel *k, const ba_launcher_config *c, void **args)
{
	for (unsigned i = k->turns; i; i--)
		__asm__ volatile("" : "+r"(i));
	return enter(k->function, c->grid.x, c->grid.y, c->grid.z, c->block.x, c->block.y,
		c->block.z, c->shared_bytes, c->stream, args, NULL);
}
static void my_release(ba_launcher_kernel *k) { unload(k->module); free(k); }
static void my_close(ba_launcher_session *s) { (void)s; }
static const char *my_error(ba_launcher_session *s) { (void)s; return ""; }
static const ba_launcher table = {BA_LAUNCHER_ABI, sizeof(table), "thousand @TAG@", paths,
	sizeof(paths) / sizeof(paths[0]), my_open, my_prepare, my_launch, my_release, my_close,
	my_error};
const ba_launcher *bench_against_launcher(uint32_t abi) { (void)abi; return &table; }
"""


def git(where, *args):
    subprocess.run(["git", "-C", where, *args], check=True, stdout=subprocess.DEVNULL)


def commit(where, tag, count, planted, change):
    paths = ", ".join('{"p%d", NULL}' % i for i in range(count))
    marks = ", ".join(str(int(i in planted)) for i in range(count))
    source = SOURCE.replace("@PATHS@", paths).replace("@PLANTED@", marks)
    source = source.replace("@MORE@", str(round(1000 * change))).replace("@TAG@", tag)
    with open(os.path.join(where, "suite.c"), "w") as f:
        f.write(source)
    git(where, "add", "-A")
    git(where, "commit", "-q", "-m", tag)
    git(where, "tag", tag)


def measure(tool, where, out, budget):
    start = time.time()
    log = subprocess.run([tool, "old", "new", "--target", "host", "--path", "p*", "--args", "0",
                          "--budget", budget, "--output", out],
                         cwd=where, capture_output=True, text=True, env=environment(where))
    seconds = time.time() - start
    if not os.path.exists(out):
        sys.exit(log.stderr + log.stdout)
    told = [line for line in log.stderr.splitlines() if "budget" in line]
    return seconds, told


def environment(where):
    return dict(os.environ, BENCH_AGAINST_CACHE=where + ".cache",
                BENCH_AGAINST_HISTORY=where + ".history.sqlite",
                GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")


def repository(where, count, planted, change):
    """Makes it; the numbers of the paths that become slower."""
    include = os.path.join(os.path.dirname(__file__), "..", "..", "include")
    os.mkdir(where)
    git(where, "init", "-q", ".")
    git(where, "config", "user.email", "a@example.com")
    git(where, "config", "user.name", "A")
    with open(os.path.join(where, ".bench-against.json"), "w") as f:
        json.dump({"build": {"commands": [["cc", "-O2", "-shared", "-fPIC", "-I",
                                           os.path.abspath(include), "-o", "many.so", "suite.c"]]},
                   "suites": {"many": {"kind": "launcher", "library": "many.so"}}}, f)
    commit(where, "old", count, (), 0)
    slow = set(random.Random(1).sample(range(count), planted))
    commit(where, "new", count, slow, change)
    return slow


def main():
    tool = os.path.abspath(sys.argv[1])
    count, planted, budget, runs, change = (sys.argv[2:] + [None] * 5)[:5]
    count, planted, runs = int(count or 1000), int(planted or 50), int(runs or 1)
    budget, change = budget or "600s", float(change or 0.05)
    with tempfile.TemporaryDirectory() as top:
        where = os.path.join(top, "repo")
        slow = repository(where, count, planted, change)
        for run in range(runs):
            out = os.path.join(top, "r%d.json" % run)
            seconds, told = measure(tool, where, out, budget)
            with open(out) as f:
                doc = json.load(f)
            report(doc, slow, seconds, told)


def report(doc, slow, seconds, told):
    verdicts = collections.Counter()
    found = wrong = 0
    for series in doc["series"]:
        if "comparisons" not in series or series.get("role") != "verdict":
            continue
        is_slow = int(series["id"].split("path=p")[1].split(",")[0]) in slow
        for c in series["comparisons"]:
            verdict = c["verdict"]
            verdicts[verdict] += 1
            right = verdict == "regressed" if is_slow else verdict != "regressed"
            found += is_slow and verdict == "regressed"
            wrong += verdict in ("improved", "tail-regressed", "tail-improved") or not (
                right or verdict == "inconclusive")
    print("%.0f s: found %d of %d, wrong %d, stopped '%s', %s" % (
        seconds, found, len(slow), wrong, doc["decision"]["stopped"], dict(verdicts)))
    for line in told:
        print("   ", line)
    print("    looks:", doc["decision"]["looks_done"], doc.get("spent"), flush=True)


if __name__ == "__main__":
    main()
