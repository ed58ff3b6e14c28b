"""environments.py BUILD PART: environments as variants (docs/environments of adopt.md), without a network.

The packages are wheels that this script writes with zipfile into a local folder, and pip is told not to
use an index. None of what is asserted depends on how quiet the machine is: counts of calls and instructions
decide, or which files are loaded."""

import base64
import hashlib
import json
import os
import runpy
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

BUILD = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
PART = sys.argv[2]
TOOL = os.path.join(BUILD, "bin", "bench-against")
CONFIG = {
    "target": "host",
    "suites": {"py": {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "bench.py"]}},
}
BENCH = """from bench_against_worker import benchmark

import speed


@benchmark
def work():
    return speed.work
"""
# a step of a counted call is a trap, which takes a virtual machine 25 us
FAST, SLOW = "def work():\n    return 1\n", "def work():\n    return len('a')\n"
# counts are exact
QUICK = ("--metrics", "instructions", "--fixed", "2", "--explain=off")
FAILED = []
# Where pip is not what is tested: of uv's commands what packages.c uses, for releases that are named by "==".
# It takes a tenth of pip's time.
UV = f"""#!{sys.executable} -IS
import glob, hashlib, re, sys, zipfile

words = sys.argv[1:]
after = {{before: word for before, word in zip(words, words[1:])}}
with open(words[-1]) as file:
    releases = re.findall(r"^(\\w+)==([^\\s;]+)", file.read(), re.MULTILINE)
for name, version in releases:
    found = glob.glob(f"{{after['--find-links']}}/{{name}}-{{version}}-*.whl")
    if not found:
        sys.exit(f"error: there is no version of {{name}}=={{version}}")
    if "--dry-run" in words:
        print(f" + {{name}}=={{version}}", file=sys.stderr)
    elif "compile" in words:
        with open(found[0], "rb") as file:
            print(f"{{name}}=={{version}} --hash=sha256:{{hashlib.sha256(file.read()).hexdigest()}}")
    else:
        zipfile.ZipFile(found[0]).extractall(*glob.glob(after["--python"].removesuffix("/bin/python") + "/lib/python3*/site-packages"))
"""


def wheel(name, version, body, requires=(), folder="wheels", hashed=True):
    os.makedirs(folder, exist_ok=True)
    path = os.path.abspath(os.path.join(folder, f"{name}-{version}-py3-none-any.whl"))
    about = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    files = {
        f"{name}/__init__.py": body,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    with zipfile.ZipFile(path, "w") as archive:
        for at, text in files.items():
            archive.writestr(at, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            record += f"{at},sha256={digest},{len(text)}\n" if hashed else f"{at},,\n"
        archive.writestr(f"{about}/RECORD", f"{record}{about}/RECORD,,\n")
    return path


def no_release(name, text):
    """In pip's words or uv's."""
    return any(f"{words} {name}" in text for words in ("No matching distribution found for", "there is no version of", "you require"))


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, stdout=subprocess.DEVNULL)


def virtual_environment(name, *options):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", *options, name], check=True)


def quick_uv():
    os.mkdir("bin")
    with open("bin/uv", "w", encoding="utf-8") as file:
        file.write(UV)
    os.chmod("bin/uv", 0o755)
    os.environ["PATH"] = f"{os.getcwd()}/bin:{os.environ['PATH']}"


def start(*arguments, **variables):
    return subprocess.Popen(
        [TOOL, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **{k: v for k, v in variables.items() if v is not None}},
    )


def end(process):
    text = " ".join(process.communicate()[0].split())
    document = None
    if os.path.exists("r.json"):
        with open("r.json", encoding="utf-8") as file:
            document = json.load(file)
        os.remove("r.json")
    return process.returncode, text, document


def against(*arguments, **variables):
    return end(start(*QUICK, "-o", "r.json", *arguments, **variables))


def expect(condition, *what):
    if not condition:
        FAILED.append(what)
        print("FAILED:", *what, file=sys.stderr)


def verdicts(document):
    return {c["verdict"] for s in document["series"] if s["role"] == "verdict" for c in s["comparisons"]}


def environment(document, variant):
    return document["variants"][variant]["environment"]


def resolves():
    """A known difference, equal code under two versions, and what is kept."""
    status, text, r = against("old=HEAD+env:speed==1.0", "new=HEAD+env:speed==2.0")
    expect(status == 1 and verdicts(r) == {"regressed"}, "known difference", status, text)
    expect("old has speed 1.0 (loaded); new has speed 2.0 (loaded)" in text, "versions", text)
    expect("speed 1.0" in environment(r, 0)["loaded"], "loaded", environment(r, 0)["loaded"])
    # what was resolved is kept: pip cannot find a wheel any more, and is not asked
    shutil.move("wheels", "hidden")
    os.mkdir("wheels")
    shutil.copystat("hidden", "wheels")
    status, text, r = end(start("run", "HEAD+env:speed==1.0"))
    expect(status != 0 and no_release("speed==1.0", text), "other wheels are another request", text)
    shutil.rmtree("wheels")
    shutil.move("hidden", "wheels")
    logged = os.path.getsize("pip.log")
    status, text, _ = end(start("run", "HEAD+env:speed==1.0", "--metrics", "host", "--fixed", "2"))
    expect(status == 0 and os.path.getsize("pip.log") == logged, "kept", status, text)
    keys()
    quick_uv()
    status, text, r = against("HEAD+env:speed==1.0", "HEAD+env:speed==1.1")
    expect(status == 0 and verdicts(r) == {"identical"}, "equal code", status, text)
    expect("loaded the same files" in text and "HEAD+speed-1.1" in text, "reason", text)


def keys():
    """Settings in a file are part of what is asked: another constraint is another request."""
    key_of = runpy.run_path(os.path.join(SOURCE, "src/drive/packages/environments.py"))["key_of"]
    os.environ.update(PIP_CONSTRAINT="constraints.txt", XDG_CONFIG_HOME=f"{os.getcwd()}/config")
    os.makedirs("config/pip")
    found = []
    for path, text in ("constraints.txt", ""), ("constraints.txt", "speed<2"), ("config/pip/pip.conf", "[install]\n"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        found += [key_of({"wheels": True}, "speed", True, False) for _ in range(2)]
    del os.environ["PIP_CONSTRAINT"], os.environ["XDG_CONFIG_HOME"]
    expect(len(set(found)) == 3 and found[::2] == found[1::2], "a key for each content", found)


def records():
    """Without digests in its record, an installed package says nothing of its files."""
    for version, body in {"3.0": FAST, "3.1": SLOW}.items():
        wheel("speed", version, body, hashed=False)
    status, text, r = against("HEAD+env:speed==3.0", "HEAD+env:speed==3.1")
    expect(status == 1 and verdicts(r) == {"regressed"}, "no digests", status, text)


def fails():
    """A version that does not exist, an index that cannot be reached, and what is no environment."""
    status, text, _ = against("HEAD+env:speed==1.0", "HEAD+env:speed==9", "new=HEAD+env:speed==2.0")
    expect("HEAD+speed-9" in text and no_release("speed==9", text), "no version", text)
    expect("new" in text and "regressed" in text, "others are measured", text)
    status, text, _ = against(
        "HEAD", "HEAD+env:speed==3", PIP_NO_INDEX="0", PIP_INDEX_URL="http://127.0.0.1:9/", PIP_RETRIES="1", PIP_FIND_LINKS=""
    )
    expect(status not in (0, 1) and "the package index cannot be reached" in text, "offline", status, text)
    cases = {
        "env:./wheels": "neither a virtual environment",
        "env:none.txt": "there is no 'none.txt'",
        "env:uv.lock": "uv export",
        "env:speed==1.0+env:mine": "which bench-against does not change",
    }
    fills()
    virtual_environment("mine")
    for part, sentence in cases.items():
        status, text, _ = against(f"HEAD+{part}", "HEAD")
        expect(status not in (0, 1) and sentence in text, part, status, text)
    status, text, _ = against("HEAD+env:speed==1.0", "HEAD+env:speed==1.1", "--no-build")
    expect(status not in (0, 1) and "--no-build" in text, "--no-build", status, text)
    with open("versions.txt", "w", encoding="utf-8") as file:
        file.write("1.0\n2.0\n")
    for ends, sentence in {("2.0", "1.0"): "must be older", ("1.0", "7"): "'speed==7' is not among the 2 versions from 1.0"}.items():
        status, text, _ = end(start("bisect", "--versions", "speed", "--among", "versions.txt", *ends))
        expect(status != 0 and sentence in text, ends, text)


def fills():
    """A cache on a full disk ends the run; no variant is to blame."""
    cache = os.path.join(os.getcwd(), "small")
    os.mkdir(cache)
    room = ["bwrap", "--dev-bind", "/", "/", "--size", str(4 << 20), "--tmpfs", cache]
    if not shutil.which("bwrap") or subprocess.run([*room, "true"], stderr=subprocess.DEVNULL).returncode:
        return
    wheel("speed", "4.0", f"{FAST}# {os.urandom(3 << 20).hex()}\n")
    run = [TOOL, *QUICK, "HEAD", "HEAD+env:speed==4.0"]
    env = {**os.environ, "BENCH_AGAINST_CACHE": cache}
    done = subprocess.run([*room, *run], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    expect(done.returncode == 125 and "the disk is full" in done.stdout, "full disk", done.returncode, done.stdout)


def names():
    """Files of the tree, folders, variables, and what the present Python has."""
    for version in ("1.0", "2.0"):
        with open("requirements.txt", "w", encoding="utf-8") as file:
            file.write(f"speed=={version}\n")
        git("add", "-A")
        git("commit", "-qm", f"speed {version}")
    status, text, r = against("old=HEAD~+env:requirements.txt", "new=HEAD+env:requirements.txt")
    expect(verdicts(r) == {"regressed"}, "each tree has its own file", status, text)
    expect(environment(r, 1)["distributions"] == ["speed 2.0"], "alone", environment(r, 1)["distributions"])
    virtual_environment("mine")
    site = subprocess.run(
        ["mine/bin/python", "-c", "import site; print(site.getsitepackages()[0])"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    with zipfile.ZipFile("wheels/speed-1.1-py3-none-any.whl") as archive:
        archive.extractall(site)
    with open("one.txt", "w", encoding="utf-8") as file:
        file.write("speed==1.0\n")
    status, text, r = against("HEAD+env:mine", "HEAD+env:./one.txt")
    expect(verdicts(r) == {"identical"} and environment(r, 0)["distributions"] == ["speed 1.1"], "folder", text)
    status, text, r = against("HEAD+env:speed==1.0", "HEAD+env:speed==1.0+var:X=1")
    expect(verdicts(r) != {"identical"} and environment(r, 1)["parts"] == ["env:speed==1.0", "var:X=1"], "variable", text)
    # what the present Python has stays where it satisfies a requirement
    virtual_environment("present", "--system-site-packages")
    shutil.copytree(site, site.replace("/mine/", "/present/"), dirs_exist_ok=True)
    wheel("needs", "1.0", "", requires=("speed>=1",))
    path = f"{os.getcwd()}/present/bin:{os.environ['PATH']}"
    status, text, r = against("HEAD", "HEAD+env:needs==1.0", PATH=path, VIRTUAL_ENV=None)
    found = [name for name in environment(r, 1)["distributions"] if name.startswith(("needs ", "speed "))]
    expect(found == ["needs 1.0", "speed 1.1"], "present packages", found, text)
    # but not the code of a developer, which only has the release's number
    own = site.replace("/mine/", "/present/")
    for name, body in {"speed/__init__.py": SLOW, "speed-1.1.dist-info/direct_url.json": '{"url": "file:///x", "dir_info": {}}'}.items():
        with open(os.path.join(own, name), "w", encoding="utf-8") as file:
            file.write(body)
    status, text, r = against("HEAD", "HEAD+env:speed==1.1", PATH=path, VIRTUAL_ENV=None)
    expect(verdicts(r) == {"improved"}, "a release beside a checkout of it", status, text)


def gate():
    """A command that does not run the environment's Python; the gate's policy, and the history."""
    quick_uv()
    virtual_environment("mine")
    config = json.loads(json.dumps(CONFIG))
    config["suites"]["py"]["command"][0] = sys.executable
    with open("other.json", "w", encoding="utf-8") as file:
        json.dump(config, file)
    status, text, _ = against("HEAD+env:speed==1.0", "HEAD+env:speed==2.0", "--config", "other.json")
    expect("not that of its environment" in text, "another Python", text)
    # by default a gate lets no candidate name one
    status, text, _ = against("HEAD+env:speed==1.0", "HEAD+env:speed==2.0", "--gate")
    expect(status not in (0, 1) and "a gate allows no environment 'env:speed==2.0'" in text, "gate", status, text)
    config = dict(CONFIG, gate={"environments": ["env:speed==*"]})
    with open("gate.json", "w", encoding="utf-8") as file:
        json.dump(config, file)
    status, text, _ = against("HEAD+env:speed==1.0", "HEAD+env:speed==2.0", "--gate", "--config", "gate.json")
    expect(status == 1 and "egressed" in text, "allowed", status, text)
    for part, sentence in {
        "speed==2.0 --pre": "have only a name, a version and hashes",
        "speed==2.0/../../mine": "a gate allows no environment",
    }.items():
        status, text, _ = against("HEAD+env:speed==1.0", f"HEAD+env:{part}", "--gate", "--config", "gate.json")
        expect(status not in (0, 1) and sentence in text, part, status, text)
    rows = sqlite3.connect(os.environ["BENCH_AGAINST_HISTORY"]).execute("SELECT DISTINCT substr(plan_sha256, 65) FROM point")
    kept = {row[0].rpartition(" ")[0] for row in rows}
    expect(" in speed==1.0" in kept and " in speed==2.0" in kept, "history", kept)
    done = end(start("history", "py/work", "--device", "*speed==2.0*"))
    expect(done[0] == 0 and "in speed==2.0" in done[1], "history of an environment", done)


def bisects():
    """Eight versions, of which the fifth became slow and the third cannot be installed."""
    versions = [f"0.{i}" for i in range(1, 9)]
    for i, version in enumerate(versions):
        if version != "0.3":
            wheel("speed", version, f"# {version}\n{SLOW if i >= 4 else FAST}")
    with open("versions.txt", "w", encoding="utf-8") as file:
        file.write("# oldest first\n" + "\n".join(versions) + "\n")
    options = ("bisect", "--versions", "speed", "--among", "versions.txt", "--metrics", "instructions")
    status, text, _ = end(start(*options, "0.1", "0.8"))
    expect(status == 0 and "speed==0.5 is the first bad version" in text, "found", status, text)
    expect("HEAD" not in text and "+env:speed==0.4" in text and "it with the version before" in text, "compare", text)
    expect("speed==0.3" in text and no_release("speed==0.3", text), "a version that is none", text)
    status, text, _ = end(start("bisect", "--versions", "speed", "0.1", "7"))
    expect(status != 0 and "'speed==7' is not among the 10 versions from 0.1" in text, "of the index", status, text)


def shares():
    """Two runs make one environment at the same time: one installs, the other waits."""
    quick_uv()
    arguments = (*QUICK, "HEAD+env:speed==1.0", "HEAD+env:speed==2.0")
    processes = [start(*arguments, "-o", f"r{i}.json") for i in range(2)]
    for i, process in enumerate(processes):
        status, text, _ = end(process)
        expect(status == 1, "side by side", i, status, text)
    trees = [name for name in os.listdir(os.path.join(os.environ["BENCH_AGAINST_CACHE"], "trees")) if name.endswith(".complete")]
    expect(len(trees) == 3, "two environments and one tree", trees)


GRID = """from bench_against_worker import benchmark


@benchmark
def nothing():
    return lambda: None
"""
MAKE = """import more
import scale

for name, times in {"apart": more.FACTOR * scale.FACTOR, "together": more.FACTOR if scale.FACTOR > 1 else 1}.items():
    with open(name + ".bin", "wb") as file:
        file.write(bytes(1000 * times))
"""


def factors():
    """Two codes in two environments: what each contributes, and whether they interact."""
    quick_uv()
    suite = CONFIG["suites"]["py"]
    config = dict(CONFIG, build={"commands": [["python3", "make.py"]]})
    config["suites"] = {name: dict(suite, size=[f"{name}.bin"]) for name in ("apart", "together")}
    for path, text in {"bench.py": GRID, "make.py": MAKE, ".bench-against.json": json.dumps(config)}.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    for version in (1, 2):
        wheel("scale", f"{version}.0", f"FACTOR = {version}\n")
    for factor in (1, 3):
        with open("more.py", "w", encoding="utf-8") as file:
            file.write(f"FACTOR = {factor}\n")
        git("add", "-A")
        git("commit", "-qm", f"factor {factor}")
    grid = [f"{code}+env:scale=={version}" for code in ("HEAD~", "HEAD") for version in ("1.0", "2.0")]
    sizes = ("--metrics", "size", "--fixed", "2", "-o")
    status, text, _ = end(start(*sizes, "kept.json", *grid))
    with open("kept.json", encoding="utf-8") as file:
        r = json.load(file)
    expect(status == 1 and r["decision"]["family_size"] == 6, "the verdicts stay", status, text)
    ends = {"apart": (3, 2, 1), "together": (3**0.5, 3**0.5, 3)}
    for series in r["series"]:
        effects = {e["of"]: e["comparison"] for e in series.get("effects", ())}
        found = tuple(effects[of]["ratio"] for of in ("code", "environment", "interaction"))
        wanted = ends[series["id"].split("/")[0]]
        expect(all(abs(a / b - 1) < 1e-9 for a, b in zip(found, wanted)), series["id"], found, wanted)
        expect(effects["interaction"]["exact"], "counts are exact", effects["interaction"])
    expect("together/process, the effect of the code depends on the environment: " in text, "depends", text)
    expect("code HEAD~ to HEAD in scale==1.0 0.0 % exactly, code HEAD~ to HEAD in scale==2.0 +" in text, "each", text)
    expect("% exactly (in 1 of 2)." in text and "they interact" in text, "one of two", text)
    for form, row in {"markdown": "| `apart/process` | `code HEAD~ to HEAD` | +200.0 %", "html": "Code and environment"}.items():
        expect(row in start("report", "kept.json", "--format", form).communicate()[0], form)
    expect("everything agrees" in start("verify", "kept.json").communicate()[0], "verify")
    r["series"][0]["effects"][2]["comparison"]["ratio"] *= 1.1
    with open("kept.json", "w", encoding="utf-8") as file:
        json.dump(r, file)
    changed = start("verify", "kept.json")
    expect("effect 2: ratio is" in changed.communicate()[0] and changed.returncode, "a changed claim")
    # without the interaction, and with a cell missing
    status, text, r = end(start(*sizes, "r.json", *grid, "--filter", "apart/*"))
    expect("In apart/process, code HEAD~ to HEAD +200.0 % exactly, environment scale==1.0 to scale==2.0 +100.0 % exactly" in text, "apart", text)
    expect("; they do not interact by more than " in text, "no interaction", text)
    status, text, r = end(start(*sizes, "r.json", *grid[:3], "--filter", "apart/*"))
    expect("environment scale" not in text and all("effects" not in s for s in r["series"]), "no grid", text)


def main():
    home = tempfile.mkdtemp(prefix="ba-environments-")
    try:
        os.chdir(home)
        os.environ.update(
            HOME=home,
            BENCH_AGAINST_CACHE=os.path.join(home, "cache"),
            BENCH_AGAINST_HISTORY=os.path.join(home, "history.sqlite"),
            PIP_NO_INDEX="1",
            PIP_FIND_LINKS=os.path.join(home, "wheels"),
            PIP_CONFIG_FILE=os.devnull,
            PIP_LOG=os.path.join(home, "pip.log"),
            GIT_CONFIG_GLOBAL=os.path.join(home, "gitconfig"),
        )
        for name in ("UV_FIND_LINKS", "PYTHONPATH", "VIRTUAL_ENV"):
            os.environ.pop(name, None)
        for version, body in {"1.0": FAST, "1.1": FAST, "2.0": SLOW}.items():
            wheel("speed", version, body)
        git("init", "-q")
        git("config", "--global", "user.name", "test")
        git("config", "--global", "user.email", "test@example.org")
        for path, text in {"bench.py": BENCH, ".bench-against.json": json.dumps(CONFIG), ".gitignore": "*\n!*.py\n!*.json\n!requirements.txt\n!.gitignore\n"}.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        git("add", "-A", "bench.py", ".bench-against.json", ".gitignore")
        git("commit", "-qm", "one")
        {f.__name__: f for f in (resolves, records, fails, names, gate, bisects, shares, factors)}[PART]()
    finally:
        os.chdir("/")
        shutil.rmtree(home, ignore_errors=True)
    return 1 if FAILED else 0


if __name__ == "__main__":
    if subprocess.run(["python3", "-c", "import pip; assert tuple(map(int, pip.__version__.split('.')[:2])) > (22, 1)"]).returncode:
        print("skipped: python3 has no pip 22.2 or later")
        sys.exit(77)
    sys.exit(main())
