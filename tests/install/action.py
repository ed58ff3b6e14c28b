#!/usr/bin/env python3
"""action.py BUILD SOURCE: the steps of the action and of the workflows, run as GitHub would run
them: read from the YAML, in a sandbox, with a `gh` that answers from a table. 77 without PyYAML."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("no PyYAML for python3 here (Debian: python3-yaml)")
    sys.exit(77)

build, source = sys.argv[1:3]
top = tempfile.mkdtemp(prefix="action-")
SCRIPTS = build + "/share/bench-against/ci"
ACTION = top + "/action"  # a copy: the code that is measured may write to it
shutil.copytree(SCRIPTS, ACTION)
bad = 0


def check(good, what):
    global bad
    if not good:
        bad += 1
        print("action.py:", what, file=sys.stderr)


def load(path):
    with open(path) as f:
        return yaml.safe_load(f)


# ---- rules that hold for every file ------------------------------------------------------

workflows = {}
for folder in (source + "/.github/workflows", source + "/share/bench-against/init/github"):
    for name in os.listdir(folder):
        workflows[f"{folder}/{name}"] = load(f"{folder}/{name}")
action = load(source + "/action.yml")


def all_steps():
    for path, w in workflows.items():
        for job in w["jobs"].values():
            for step in job.get("steps", []):
                yield path, w, step
    for step in action["runs"]["steps"]:
        yield "action.yml", action, step


for path, w, step in all_steps():
    where = f"{os.path.basename(path)}: {step.get('name', step.get('uses'))}"
    check("${{" not in step.get("run", ""), f"{where}: an expression is part of a command")
    if step.get("uses", "").startswith("actions/checkout"):
        check(step.get("with", {}).get("persist-credentials") is False,
              f"{where}: the checkout keeps its token")
for path, w in workflows.items():
    allowed = {"contents": "read"}
    if "comment" in os.path.basename(path):
        allowed = {"actions": "read", "contents": "read", "pull-requests": "write"}
    check(w.get("permissions") == allowed, f"{path}: permissions are {w.get('permissions')}")
    on = w.get("on", w.get(True))
    check("pull_request_target" not in on, f"{path}: runs the code of forks with a token")
    check("secrets" not in json.dumps(w), f"{path}: names secrets")
    for name, job in w["jobs"].items():
        more = set(job.get("permissions", {}).items()) - set(allowed.items())
        check(not more or (os.path.basename(path), more) == ("codeql.yml", {("security-events", "write")}),
              f"{path}: the job '{name}' may also {sorted(more)}")
comment = workflows[source + "/.github/workflows/bench-against-comment.yml"]
for job in comment["jobs"].values():
    for step in job["steps"]:
        if step.get("uses", "").startswith("actions/checkout"):
            check("head" not in json.dumps(step), "the comment's job checks the pull request out")

# ---- a machine of GitHub's -----------------------------------------------------------------

env0 = {
    "PATH": f"{top}/bin:{build}/bin:/usr/bin:/bin", "HOME": f"{top}/home", "LANG": "C.UTF-8",
    "XDG_STATE_HOME": f"{top}/state", "BENCH_AGAINST_CACHE": f"{top}/cache",
    "GIT_CONFIG_NOSYSTEM": "1", "RUNNER_TEMP": f"{top}/temp",
    "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@t",
    "GITHUB_REPOSITORY": "owner/project", "GITHUB_SERVER_URL": "https://github.com",
    "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), "LSAN_OPTIONS": os.environ.get("LSAN_OPTIONS", ""),
}
for folder in ("bin", "home", "temp", "cache"):
    os.mkdir(f"{top}/{folder}")
with open(f"{top}/bin/bench-against", "w") as f:
    f.write('#!/bin/sh\n[ "$1 $2:${GITHUB_OUTPUT:+x}" != "init --scripts:x" ] || exec echo "%s"\n'
            'exec "%s/bin/bench-against" "$@"\n' % (ACTION, build))
os.chmod(f"{top}/bin/bench-against", 0o755)
if os.path.exists(f"{build}/tests/toolchain-hashes"):  # else the compilers are hashed
    shutil.copy(f"{build}/tests/toolchain-hashes", f"{top}/cache")


def sh(command, cwd, env=None, **more):
    return subprocess.run(command, cwd=cwd, env=env or env0, capture_output=True, text=True, **more)


def git(cwd, *words):
    done = sh(["git", *words], cwd)
    if done.returncode:
        sys.exit(f"git {words}: {done.stderr}")
    return done.stdout.strip()


def expression(text, context):
    """${{ a.b || c }} from a table: what the files here use."""
    def one(match):
        for part in match.group(1).split("||"):
            value = context.get(part.strip(), "")
            if value:
                return str(value)
        return ""
    return re.sub(r"\$\{\{(.*?)\}\}", one, text)


def condition(text, context):
    if not text:
        return True
    known = {"always()": True, "inputs.artifact != ''": context.get("inputs.artifact", "") != "",
             "steps.measure.outputs.results != ''": context.get("steps.measure.outputs.results", "") != ""}
    return all(known[part.strip()] for part in text.split("&&"))


def run_action(workspace, context, after=None, steps=action["runs"]["steps"], **inputs):
    """The steps of action.yml, or of a job; returns what they printed, and whether the job failed. after(files)
    runs at the end of each step, before the runner reads its files."""
    for name, declared in action["inputs"].items():
        context[f"inputs.{name}"] = inputs.get(name, declared.get("default", ""))
    files = {}
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH", "GITHUB_ENV"):
        files[name] = f"{top}/temp/{name}"
        open(files[name], "w").close()
    printed, failed, uploads = "", False, []
    for step in steps:
        if not condition(step.get("if"), context) or (failed and "always()" not in step.get("if", "")):
            continue
        if "uses" in step:
            uploads.append({k: expression(str(v), context) for k, v in step["with"].items()})
            continue
        assert step.get("shell", "bash") == "bash"
        env = dict(env0, GITHUB_ACTION_PATH=ACTION, **files)
        env.update({k: expression(v, context) for k, v in step.get("env", {}).items()})
        done = sh(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]], workspace, env)
        printed += done.stdout + done.stderr
        failed = failed or done.returncode != 0
        if after:
            after(files)
        if "id" in step:
            for line in open(files["GITHUB_OUTPUT"]):
                key, _, value = line.rstrip("\n").partition("=")
                context[f"steps.{step['id']}.outputs.{key}"] = value
    return {"printed": printed, "failed": failed, "uploads": uploads, "context": context,
            "summary": open(files["GITHUB_STEP_SUMMARY"]).read(),
            "status": context.get("steps.measure.outputs.status")}


def commands(printed):
    """The workflow commands that the runner would obey."""
    stopped, found = None, []
    for line in printed.splitlines():
        match = re.match(r"::([^:\s]+)[^:]*::(.*)", line.strip())
        if stopped:
            stopped = None if match and match.group(1) == stopped else stopped
        elif match and match.group(1) == "stop-commands":
            stopped = match.group(2)
        elif match:
            found.append(line)
    return found


# ---- a project, its pull requests, and a shallow checkout of one ---------------------------------

origin, work = f"{top}/origin", f"{top}/work"
os.mkdir(origin)
git(origin, "init", "-q", "-b", "main", ".")
git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
compile_it = ["cc", "-O2", "-fPIC", "-shared", f"-I{source}/include", "-o", "liblauncher.so", "launcher.c"]
config = {"build": {"command": compile_it},
          "suites": {"launch": {"kind": "launcher", "library": "liblauncher.so", "args": [0]}}}
launcher = open(source + "/examples/launcher/launcher.c").read()


def commit(message, text=launcher, **more):
    with open(origin + "/.bench-against.json", "w") as f:
        json.dump(dict(config, **more), f)
    with open(origin + "/launcher.c", "w") as f:
        f.write(text)
    git(origin, "add", "-A")
    git(origin, "commit", "-q", "--allow-empty", "-m", message)
    return git(origin, "rev-parse", "HEAD")


spin = launcher.replace("\treturn cu_launch(k", "\tfor (volatile int i = 0; i < 200; i++)\n\t\t;\n\treturn cu_launch(k")
assert spin != launcher
first = commit("one")
same = commit("a comment", launcher + "/* two */\n")
slow = commit("slower, and looser rules", spin, thresholds="90%")
broken = commit("does not build", "#error no\n")
quick = "--fixed\n5\n--blocks\n6\n--batch\n64\n--threshold\n20%\n"


def checkout(head):
    subprocess.run(["rm", "-rf", work], check=True)
    os.mkdir(work)
    git(work, "init", "-q", ".")
    git(work, "remote", "add", "origin", "file://" + origin)
    git(work, "fetch", "-q", "--depth=1", "origin", head)
    git(work, "checkout", "-q", head)


def measure(head, base, after=None, **inputs):
    checkout(head)
    inputs = {"target": "host", "options": quick, **inputs}
    return run_action(work, {"github.event.pull_request.base.sha": base}, after, **inputs)


r = measure(same, first)
check(r["status"] == "0" and not r["failed"], f"equal: status {r['status']}: {r['printed']}")
check(r["summary"].strip(), "equal: no summary of the job")
check(r["uploads"] == [{"name": "bench-against", "path": "bench-against-report"}], f"equal: {r['uploads']}")
good = r["context"]["steps.measure.outputs.results"]
good_text = open(good).read()

r = measure(slow, first)
check(r["status"] == "1" and r["failed"], f"slower: status {r['status']}: {r['printed']}")
check("::error" in r["printed"] and "got slower" in r["printed"], "slower: no annotation")
check("which is ignored" in r["summary"], f"slower: the summary does not tell of the rules: {r['summary'][:3000]}")
slow_text = open(r["context"]["steps.measure.outputs.results"]).read()

# what init writes, and the jobs to call: the same scripts with fewer or other words
for path in ("share/bench-against/init/github/bench-against.yml", ".github/workflows/bench-against-measure.yml"):
    checkout(slow)
    steps = workflows[f"{source}/{path}"]["jobs"]["measure"]["steps"]
    r = run_action(work, {"github.event.pull_request.base.sha": first, "inputs.gate": "on",
                          "inputs.untrusted": "auto", "inputs.unmeasured": "fail"}, steps=steps, target="host", options=quick)
    check(r["failed"] and "got slower" in r["printed"], f"{path}: {r['printed']}")
    check(r["uploads"][-1] == {"name": "bench-against", "path": "bench-against-report"}, f"{path}: {r['uploads']}")

r = measure(broken, first)
check(r["status"] == "125" and r["failed"], f"broken: status {r['status']}: {r['printed']}")
r = measure(broken, first, unmeasured="pass")
check(r["status"] == "125" and not r["failed"], f"broken, may pass: {r['printed']}")
check("did not measure (status 125)" in r["summary"], f"broken: the summary: {r['summary']}")
talker = commit("talks to the runner", build={"command": ["sh", "-c", "echo ::error::pwned; echo '::add-path::/x'; exit 1"]})
r = measure(talker, talker)
check("::error::pwned" in r["printed"], "talker: the build's words are not shown")
check(not any("pwned" in c or "add-path" in c for c in commands(r["printed"])), f"talker: {commands(r['printed'])}")
check(any(c.startswith("::error") for c in commands(r["printed"])), "talker: commands stay stopped")
check("\n    " in r["summary"] and "\n::" not in r["summary"], f"talker: the summary: {r['summary']}")
r = measure(same, "0" * 40)  # the first push of a branch: HEAD~ is fetched
check(r["status"] == "0", f"first push: status {r['status']}: {r['printed']}")
r = measure(same, first, options="--no-such-option")
check(r["status"] == "129" and r["failed"], f"a wrong option: status {r['status']}")

# ---- a pull request from a fork: nothing that its code writes makes it green --------------------

shutil.copytree(source + "/include", origin + "/include")
in_tree = [a if not a.startswith("-I") else "-Iinclude" for a in compile_it]
with open(origin + "/build.sh", "w") as f:
    f.write(" ".join(in_tree) + "\n")
by_script = {"command": ["sh", "build.sh"]}
fork_base = commit("built by a script", build=by_script)
fork_same = commit("a comment", launcher + "/* two */\n", build=by_script)
# its build makes the baseline as slow as itself, wherever it finds it
with open(origin + "/build.sh", "a") as f:
    f.write('for tree in ../* "$BENCH_AGAINST_CACHE"/trees/* %s/temp/bench-against-cache/trees/*; do\n'
            '\tcp liblauncher.so "$tree/liblauncher.so" && touch reached\ndone 2>/dev/null\ntrue\n' % top)
fork_attack = commit("slower, and its build overwrites the baseline's", spin, build=by_script)


def measure_fork(head, base, **inputs):
    checkout(head)
    inputs = {"target": "host", "options": "--fixed\n4\n--blocks\n2\n--batch\n20000\n--metrics\nhost\n--threshold\n50%\n", **inputs}
    return run_action(work, {"github.event.pull_request.base.sha": base,
                             "github.event.pull_request.head.repo.fork": "true"}, None, **inputs)


r = measure_fork(fork_same, fork_base)
check(r["status"] in ("0", "125"), f"fork, equal: status {r['status']}: {r['printed']}")
fork_result = json.load(open(r["context"]["steps.measure.outputs.results"]))
check(fork_result["engine"] == "untrusted" and fork_result["gate"]["strict"], f"fork, equal: {fork_result['engine']}")
r = measure_fork(fork_attack, fork_base)
check(r["status"] == "1" and r["failed"] and "got slower" in r["printed"], f"fork, attack: {r['status']}: {r['printed']}")
fork_text = open(r["context"]["steps.measure.outputs.results"]).read()
r = measure_fork(fork_attack, fork_base, untrusted="false")
check("untrusted" not in json.load(open(r["context"]["steps.measure.outputs.results"]))["engine"], "fork, trusted: the lane")
r = measure_fork(fork_same, fork_base, untrusted="perhaps")
check(r["failed"] and "is not auto, true or false" in r["printed"], f"fork, a wrong lane: {r['printed']}")
for name in ("build.sh", "include"):
    subprocess.run(["rm", "-rf", f"{origin}/{name}"], check=True)

# ---- code that would like to end the job as it pleases ------------------------------------------

# what the build of the candidate does: it writes to everything that the runner, or a later step, reads
attack = """import glob, os
top = %r
for environ in glob.glob("/proc/[0-9]*/environ"):
    try:
        items = open(environ, "rb").read().split(b"\\0")
    except OSError:
        continue
    for item in items:
        name, _, value = item.decode(errors="replace").partition("=")
        if not value.startswith(top):
            continue
        text = {"GITHUB_OUTPUT": "status=0\\nresults=/etc/passwd\\nx<<EOF\\n", "GITHUB_STEP_SUMMARY": "All is well.\\n",
                "GITHUB_PATH": top + "/evil\\n", "GITHUB_ENV": "BASH_ENV=" + top + "/evil/env\\n"}.get(name)
        if text:
            open(value, "a").write(text)
        if name == "GITHUB_ACTION_PATH":
            for script in glob.glob(value + "/*.sh"):
                open(script, "r+").write("exit 0\\n" * 1500)
os.makedirs(top + "/work/bench-against-report", exist_ok=True)
for file in ("results.json", "summary.md", "annotations.txt", "junit.xml"):
    open(top + "/work/bench-against-report/" + file, "w").write("All is well.\\n")
""" % top
leak = """#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void look(void)
{
	const char *names[] = {"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY",
		"ACTIONS_RUNTIME_TOKEN", "GITHUB_TOKEN"};
	FILE *f = fopen("%s/leaks", "a");
	for (int i = 0; f && i < 7; i++)
		if (getenv(names[i]))
			fprintf(f, "%%s\\n", names[i]);
	if (f && fprintf(f, "looked\\n"))
		fclose(f);
}
""".replace("\\\\", "\\") % top


def append_status(files):
    """as a process that outlived the measurement would"""
    with open(files["GITHUB_OUTPUT"], "a") as f:
        f.write("status=0\n")


with open(origin + "/attack.py", "w") as f:
    f.write(attack)
os.symlink("../victim", origin + "/bench-against-report")
os.mkdir(f"{top}/victim")
open(f"{top}/victim/keep", "w").close()
attacker = commit("slower, and hostile", spin + leak,
                  build={"command": ["sh", "-c", "python3 attack.py; " + " ".join(compile_it)]})
env0.update(ACTIONS_RUNTIME_TOKEN="secret", GITHUB_TOKEN="secret")
r = measure(attacker, first, after=append_status, options=quick + "--config-from\nchange\n")
check(r["failed"], f"hostile code: the job is green: {r['printed']}")
check("::error" in r["printed"] and "got slower" in r["printed"], f"hostile code: {r['printed']}")
check("All is well" not in r["summary"] and "got slower" in r["summary"], f"hostile code: the summary: {r['summary'][:500]}")
check(r["context"].get("steps.measure.outputs.results", "").endswith("bench-against-report/results.json"),
      f"hostile code: results are {r['context'].get('steps.measure.outputs.results')}")
for name in ("GITHUB_PATH", "GITHUB_ENV"):
    left = open(f"{top}/temp/{name}").read()
    check(not left, f"hostile code: {name} has {left!r}")
check(os.path.exists(f"{top}/victim/keep") and len(os.listdir(f"{top}/victim")) == 1,
      "a report folder that is a link of the change's: what it leads to is touched")
leaks = set(open(f"{top}/leaks").read().split())
check(leaks == {"looked"}, f"the measured code sees {leaks}")
shutil.rmtree(ACTION)
shutil.copytree(SCRIPTS, ACTION)
for folder in (".", "..", "/", work, top):
    r = measure(same, first, report=folder)
    check(r["failed"] and "contains the checkout" in r["printed"], f"report {folder!r}: {r['printed']}")
    check(os.path.exists(work + "/launcher.c"), f"report {folder!r}: the checkout is gone")
os.remove(origin + "/bench-against-report")
os.remove(origin + "/attack.py")

# names from an event that would like to be commands or options
os.chdir(top)
for hostile in ("$(touch pwned)", "`touch pwned`", "; touch pwned", "--upload-pack=touch pwned", "-x",
                "a\ntouch pwned", "x' ; touch pwned '", "${{ github.token }}", "--output=/etc/pwned"):
    r = measure(same, first, baseline=hostile)
    check(r["failed"] and r["status"] in ("125", "129"), f"baseline {hostile!r}: status {r['status']}")
    check("::set-output" not in r["printed"], f"baseline {hostile!r}: a workflow command")
    found = sh(["find", top, "-name", "pwned"], top).stdout
    check(not found, f"baseline {hostile!r} was executed: {found}")

# ---- the comment, from a file that a stranger wrote ------------------------------------------------

with open(f"{top}/bin/gh", "w") as f:
    f.write('''#!/usr/bin/env python3
import json, os, sys
args = sys.argv[1:]
log = open(os.environ["GH_LOG"], "a")
body = [a[len("body=@"):] for a in args if a.startswith("body=@")]
log.write(json.dumps({"args": args, "body": open(body[0]).read() if body else None}) + "\\n")
joined = " ".join(args)
if "/pulls" in joined and "commits/" in joined: print(os.environ.get("GH_PULL", ""))
elif "pulls" in joined: print(os.environ.get("GH_FORK_PULL", ""))
elif "--paginate" in joined: print(os.environ.get("GH_COMMENT", ""))
''')
os.chmod(f"{top}/bin/gh", 0o755)
comment_step = comment["jobs"]["comment"]["steps"][-1]
head_sha = "0123456789abcdef0123456789abcdef01234567"


def run_comment(text, link=None, **more):
    os.makedirs(f"{top}/temp/measured", exist_ok=True)
    path, log = f"{top}/temp/measured/results.json", f"{top}/temp/gh.log"
    for old in (path, log):
        if os.path.lexists(old):
            os.remove(old)
    if link:
        os.symlink(link, path)
    elif text is not None:
        with open(path, "w") as f:
            f.write(text)
    context = {"github.token": "token", "github.event.workflow_run.head_sha": head_sha,
               "github.event.workflow_run.head_repository.owner.login": "stranger",
               "github.event.workflow_run.head_branch": "x$(touch pwned)", "github.event.workflow_run.id": "42"}
    env = dict(env0, GH_LOG=log, GH_PULL="7", READER_KIB="unlimited")  # a sanitizer maps terabytes
    env.update({k: expression(v, context) for k, v in comment_step["env"].items()})
    env.update(more)
    done = sh(["bash", "-e", "-c", comment_step["run"]], source, env)
    calls = [json.loads(line) for line in open(log)] if os.path.exists(log) else []
    return done, calls, [c for c in calls if c["body"] is not None]


done, calls, written = run_comment(slow_text)
check(done.returncode == 0 and len(written) == 1, f"comment: {done.stdout}{done.stderr}")
body = written[0]["body"] if written else ""
check(body.startswith("<!-- bench-against -->\n"), "comment: no marker to find it again")
check("got slower" in body and "actions/runs/42" in body, f"comment: {body[:500]}")
check(written and "repos/owner/project/issues/7/comments" in written[0]["args"], "comment: at another place")
done, calls, written = run_comment(slow_text, GH_COMMENT="99")
check(written and "repos/owner/project/issues/comments/99" in written[0]["args"], "comment: not kept up to date")
done, calls, written = run_comment(slow_text, GH_PULL="", GH_FORK_PULL="8")
check(written and "repos/owner/project/issues/8/comments" in written[0]["args"], "comment: a fork's is not found")
check(any("head=stranger:x$(touch pwned)" in c["args"] for c in calls), "comment: the branch is not data")

def digested(document):
    """As its author would: with the digest of what is in it now."""
    rest = {k: v for k, v in document.items() if k != "document_sha256"}
    digest = hashlib.sha256(json.dumps(rest, separators=(",", ":")).encode()).hexdigest()
    return json.dumps(dict(rest, document_sha256=digest))


# what the samples do not vouch for: texts. They are shown, as texts
text = '<script>alert(1)</script><img src=x onerror=alert(1)> [click](javascript:x) ::error::x @everyone\u202e\x1b[31m\n::error::y'
hostile = json.loads(slow_text)
hostile["notes"] = [text]
hostile["environment"]["warnings"] = [text]
for v in hostile["variants"]:
    v["subject"] = text
done, calls, written = run_comment(digested(hostile))
check(written and "got slower" in written[0]["body"] and "alert(1)" in written[0]["body"],
      f"comment: the texts are not shown: {done.stdout}{written}")
for c in written:
    check(not re.search(r"(?<!\\)<(script|img)", c["body"]), "comment: markup of the file")
    check("\x1b" not in c["body"] and "\u202e" not in c["body"], "comment: control characters of the file")
    check(not re.search(r"(?<!\\)\]\(javascript", c["body"]), "comment: a link of the file")
check("::error" not in done.stdout, f"comment: a workflow command of the file: {done.stdout}")

done, calls, written = run_comment(fork_text)
check(written and "got slower" in written[0]["body"], f"comment: of a fork: {done.stdout}")

lie = json.loads(slow_text)
lie["verdict"], lie["exit_status"], lie["answer"] = "improved", 0, "All is well."
done, calls, written = run_comment(digested(lie))
check(written and "does not say what its samples say" in written[0]["body"] and "All is well" not in written[0]["body"],
      "comment: an edited file is believed")
for name, text, more in (("empty", "", {}), ("half", slow_text[:1000], {}), ("no JSON", "x\n::error::x", {}), ("none", None, {}),
                         ("a link", None, {"link": "/etc/passwd"}), ("another commit", slow_text, {"GH_PULL": "", "GH_FORK_PULL": ""}),
                         ("no number", slow_text, {"GH_PULL": "7; touch pwned"}), ("no commit", slow_text, {"HEAD_SHA": "x"})):
    done, calls, written = run_comment(text, **more)
    check(done.returncode == 0 and not written and "::warning::no comment" in done.stdout,
          f"comment, {name}: {done.returncode} {done.stdout}{done.stderr}")
    check("::error" not in done.stdout, f"comment, {name}: a workflow command of the file")
check(not sh(["find", top, "-name", "pwned"], top).stdout, "something was executed")

subprocess.run(["rm", "-rf", top], check=True)
print("the action and its workflows do what they say" if not bad else f"{bad} complaints")
sys.exit(1 if bad else 0)
