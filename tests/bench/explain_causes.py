#!/usr/bin/env python3
"""explain_causes.py BUILD [c|python|nops]...: do explanations name what changed?

c: plants 15 causes in the launch path of the demo's launchcfg, one commit each, and lets one run count
them all against the baseline. python: 15 causes in a small Python package. Prints, for each cause,
the instructions that it costs, the function that the explanation names first, and whether the
differences add up. nops: 50 launchers that differ by 1 to 50 NOP bytes that nobody executes must
have the same path, and one of about 2 % more instructions must be `regressed`.

BUILD should be a release build (-DCMAKE_BUILD_TYPE=RelWithDebInfo). Without words, all three. Exits
with 1 if more than two causes are not named first, a sum is wrong, or a pair is not the same."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
HEAD = "#define PLANTED __attribute__((noinline)) static\n"

# name of the planted function: (headers and globals, body; it has config, sig and args)
C_CAUSES = {
    "take_lock": ("#include <pthread.h>\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;",
                  "pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock);"),
    "find_option": ("#include <string.h>\nstatic const char *volatile options[] = "
                    '{"cluster", "cooperative", "priority", "stream"};',
                    "for (int i = 0; i < 4; i++)\n\t\tif (strcmp(options[i], \"stream\") == 0)\n"
                    "\t\t\tsink = i;"),
    "copy_arguments": ("#include <string.h>\nstatic char saved[256]; static volatile size_t size = 200;",
                       "memcpy(saved, config, size < sizeof(*config) ? size : sizeof(*config));"),
    "log_launch": ("#include <stdio.h>\nstatic char line[128];",
                   'snprintf(line, sizeof(line), "launch %s %u", config->dispatcher->desc.name, '
                   "config->shape.grid.x);"),
    "miss_cache": ("", "uint32_t none[2] = {77, (uint32_t)sink};\n"
                   "\tlcfg_signature other = {.types = (const void *)none, .count = 2};\n"
                   "\tsink = lcfg_slot_find(config->slot, other) != NULL;"),
    "allocate_record": ("#include <stdlib.h>", "void *volatile p = malloc(48 + (size_t)sink * 0);\n"
                        "\tfree(p);"),
    "kind_of_shape": ("", "unsigned x = config->shape.block.x;\n"
                      "\tif (x == 1) sink = 1; else if (x == 33) sink = 2; else if (x == 65) sink = 3;\n"
                      "\telse if (config->shape.block.y == 3) sink = 4;\n"
                      "\telse if (config->shape.block.z == 3) sink = 5; else sink = 6;"),
    "read_environment": ("#include <stdlib.h>", 'sink = getenv("LCFG_TRACE_LAUNCHES") != NULL;'),
    "note_time": ("#include <time.h>", "struct timespec t;\n"
                  "\tclock_gettime(CLOCK_MONOTONIC, &t);\n\tsink = (int)t.tv_sec;"),
    "hash_arguments": ("", "unsigned h = 2166136261u;\n\tfor (unsigned i = 0; i < 12; i++)\n"
                       "\t\th = (h ^ ((const unsigned char *)&config->shape)[i]) * 16777619u;\n"
                       "\tsink = (int)h;"),
    "count_launch": ("static _Atomic unsigned long launches, bytes;",
                     "launches++; bytes += config->shape.shared_bytes; sink = (int)launches;"),
    "check_shape": ("", "const unsigned *g = &config->shape.grid.x, *b = &config->shape.block.x;\n"
                    "\tfor (int i = 0; i < 3; i++)\n"
                    "\t\tif (g[i] > 65535 || b[i] > 1024 || b[i] == 0)\n\t\t\tsink = i;"),
    "name_launch": ("#include <string.h>\nstatic char name[128];",
                    "strcpy(name, config->dispatcher->desc.name);\n\tstrcat(name, \"/launch\");\n"
                    "\tsink = (int)strlen(name);"),
    "sort_arguments": ("#include <stdlib.h>\nstatic int compare(const void *a, const void *b) "
                       "{ return *(const int *)a - *(const int *)b; }",
                       "int order[6] = {4, 2, 5, 1, 3, sink & 1};\n"
                       "\tqsort(order, 6, sizeof(*order), compare);\n\tsink = order[0];"),
    "push_state": ("#include <pthread.h>\nstatic pthread_key_t key;",
                   "void *before = pthread_getspecific(key);\n\tpthread_setspecific(key, config);\n"
                   "\tpthread_setspecific(key, before);"),
}

# name of the planted function: (what the module defines, with PLANTED where the function is)
PYTHON_CAUSES = {
    "take_lock": "import threading\nLOCK = threading.RLock()\ndef take_lock(d, args):\n"
                 "    with LOCK:\n        d.launches += 1\n",
    "find_option": "OPTIONS = ['cluster', 'cooperative', 'priority', 'stream']\n"
                   "def find_option(d, args):\n    for o in OPTIONS:\n"
                   "        if o == 'stream':\n            return o\n",
    "copy_arguments": "import copy\ndef copy_arguments(d, args):\n    return copy.deepcopy(list(args))\n",
    "log_launch": "import logging\nLOG = logging.getLogger('launch')\ndef log_launch(d, args):\n"
                  "    LOG.debug('launch of %s', d.name)\n",
    "miss_cache": "def miss_cache(d, args):\n    try:\n        return d.kernels['none']\n"
                  "    except KeyError:\n        return d.compile(args)\n",
    "allocate_records": "def allocate_records(d, args):\n    return [[a, None] for a in args]\n",
    "kind_of": "def kind_of(d, args):\n    for a in args:\n        if isinstance(a, str):\n"
               "            return 's'\n        if isinstance(a, (bytes, bytearray)):\n"
               "            return 'b'\n        if isinstance(a, complex):\n            return 'c'\n",
    "describe_launch": "import dataclasses\n@dataclasses.dataclass\nclass Launch:\n    name: str\n"
                       "    args: tuple\n    stream: int = 0\n    shared: int = 0\n"
                       "def describe_launch(d, args):\n    return Launch(d.name, args)\n",
    "launch_state": "import contextlib\n@contextlib.contextmanager\ndef state_of(d):\n    yield d\n"
                    "def launch_state(d, args):\n    with state_of(d):\n        return args\n",
    "format_key": "def format_key(d, args):\n"
                  "    return '/'.join(f'{type(a).__name__}:{a}' for a in args)\n",
    "options_of": "class Options:\n    def __getattr__(self, name):\n        return len(name)\n"
                  "def options_of(d, args):\n    o = Options()\n    return o.stream + o.shared\n",
    "bind_arguments": "import inspect\ndef kernel(a, b, c): pass\n"
                      "SIGNATURE = inspect.signature(kernel)\ndef bind_arguments(d, args):\n"
                      "    return SIGNATURE.bind(*args).arguments\n",
    "read_environment": "import os\ndef read_environment(d, args):\n"
                        "    return os.environ.get('TRACE_LAUNCHES')\n",
    "fast_path": "class NotFast(Exception): pass\ndef fast_path(d, args):\n    try:\n"
                 "        raise NotFast(d.name)\n    except NotFast as e:\n        return str(e)\n",
    "mode_of": "import enum\nclass Mode(enum.Flag):\n    ASYNC = 1\n    CLUSTER = 2\n"
               "def mode_of(d, args):\n    return Mode.ASYNC | Mode.CLUSTER\n",
}

DISPATCH = '''class Dispatcher:
    def __init__(self, name):
        self.name = name
        self.launches = 0
        self.kernels = {}

    def compile(self, args):
        return tuple(type(a) for a in args)

    def launch(self, *args):
        kernel = self.kernels.get(len(args))
        if kernel is None:
            kernel = self.kernels[len(args)] = self.compile(args)
        return kernel, args
'''

BENCH = '''from bench_against_worker import Case, benchmark
from package.dispatch import Dispatcher


@benchmark
def launch():
    d = Dispatcher("kernel")
    return Case(lambda: d.launch(1, 2.0, 3))
'''


class Bench:
    def __init__(self, build, top):
        self.tool = os.path.join(os.path.abspath(build), "bin", "bench-against")
        self.top = top
        self.env = dict(os.environ, BENCH_AGAINST_CACHE=os.path.join(top, "cache"),
                        BENCH_AGAINST_HISTORY=os.path.join(top, "history.sqlite"),
                        GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
                        PYTHONDONTWRITEBYTECODE="1")
        os.mkdir(self.env["BENCH_AGAINST_CACHE"])

    def run(self, argv, directory, good=(0,)):
        done = subprocess.run(argv, cwd=directory, env=self.env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode not in good:
            sys.exit(f"{' '.join(argv)}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def git(self, directory, *argv):
        return self.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com",
                         "-c", "commit.gpgsign=false", *argv], directory)

    def commit(self, directory, name, base, files):
        """the files on top of `base`, as a branch"""
        self.git(directory, "checkout", "-q", "-B", "plant/" + name, base)
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(directory, path)) or ".", exist_ok=True)
            with open(os.path.join(directory, path), "w", encoding="utf-8") as out:
                out.write(text)
        self.git(directory, "add", "-A")
        self.git(directory, "commit", "-q", "-m", name)

    def count(self, directory, *argv):
        """the explanations by label of the candidate, of `argv` in one run"""
        self.run([self.tool, *argv, "--target", "host", "--metrics", "instructions",
                  "--verdict-on", "instructions", "--output", "r.json"], directory, (0, 1))
        self.run([self.tool, "verify", "r.json"], directory)
        with open(os.path.join(directory, "r.json"), encoding="utf-8") as file:
            document = json.load(file)
        labels = [v["label"] for v in document["variants"]]
        found = {}
        for series in document["series"]:
            for c in series["comparisons"]:
                if "why" in c:
                    found[labels[c["candidate"]]] = c
        os.remove(os.path.join(directory, "r.json"))
        return found


def adds_up(why):
    for side in "baseline", "candidate":
        for scope, total in why[side].items():
            if sum(f[side] for f in why["functions"] if f["scope"] == scope) != total:
                return False
    return True


def short(name):
    return name.split("(")[0]


def report(title, causes, found, rows_of):
    """one line for each cause; how many are named first, how many add up"""
    first = right = 0
    print(f"\n{title}\n{'planted':>18}{'change':>8}  {'adds up':8}{'place':>6}  named first")
    for name in causes:
        comparison = found.get(name)
        if not comparison:
            print(f"{name:>18}{'not counted':>16}")
            continue
        why = comparison["why"]
        rows = [short(r["name"]) for r in rows_of(why)]
        place = rows.index(name) + 1 if name in rows else 0
        change = sum(why["candidate"][s] - why["baseline"][s] for s in ("own", "runtime"))
        first += place == 1
        right += adds_up(why)
        print(f"{name:>18}{change:>+8}  {'yes' if adds_up(why) else 'NO':8}"
              f"{place or '-':>6}  {rows[0] if rows else '-'}")
    print(f"named first: {first} of {len(causes)}; differences add up: {right} of {len(causes)}")
    return first, right


def plant_c(source, name):
    head, body = C_CAUSES[name]
    globals_, function = source.index("#define unlikely"), source.index("static inline int launch(")
    planted = (f"{HEAD}static volatile int sink;\n{head}\n\nPLANTED void {name}"
               f"(const lcfg_config *config, lcfg_signature sig)\n{{\n\t(void)sig;\n\t{body}\n}}\n\n")
    call = "\tint rc = 0;\n"
    at = source.index(call, function) + len(call)
    return (source[:globals_] + source[globals_:function] + planted + source[function:at] +
            f"\t{name}(config, sig);\n" + source[at:])


def causes_in_c(bench):
    demo = os.path.join(bench.top, "demo")
    bench.run([bench.tool, "demo", demo], bench.top)
    bench.git(demo, "checkout", "-q", "baseline")
    path = next(os.path.relpath(os.path.join(at, "launch.c"), demo)
                for at, _, files in os.walk(demo) if "launch.c" in files)
    with open(os.path.join(demo, path), encoding="utf-8") as file:
        source = file.read()
    for name in C_CAUSES:
        bench.commit(demo, name, "baseline", {path: plant_c(source, name)})
    found = bench.count(demo, "baseline", *(f"{n}=plant/{n}" for n in C_CAUSES),
                        "--filter", "launch/args=2,*signature*")
    return report("causes in C", C_CAUSES, found, lambda why: why["functions"])


def causes_in_python(bench):
    repo = os.path.join(bench.top, "python")
    os.mkdir(repo)
    bench.git(repo, "init", "-q", "-b", "baseline", ".")
    suite = {"kind": "worker", "command": ["python3", "-m", "bench_against_worker", "bench.py"]}
    with open(os.path.join(repo, ".bench-against.json"), "w", encoding="utf-8") as out:
        json.dump({"suites": {"py": suite}}, out)
    os.mkdir(os.path.join(repo, "package"))
    for path, text in {"package/__init__.py": "", "package/dispatch.py": DISPATCH,
                       "bench.py": BENCH, ".gitignore": "r.json\n"}.items():
        with open(os.path.join(repo, path), "w", encoding="utf-8") as out:
            out.write(text)
    bench.git(repo, "add", "-A")
    bench.git(repo, "commit", "-q", "-m", "baseline")
    for name, text in PYTHON_CAUSES.items():
        call = f"        {name}(self, args)\n        return kernel, args\n"
        bench.commit(repo, name, "baseline", {
            "package/planted.py": text,
            "package/dispatch.py": f"from package.planted import {name}\n\n\n" +
                                   DISPATCH.replace("        return kernel, args\n", call)})
    found = bench.count(repo, "baseline", *(f"{n}=plant/{n}" for n in PYTHON_CAUSES))
    return report("causes in Python", PYTHON_CAUSES, found, lambda why: why["code_objects"])


LOOP = """
static volatile unsigned state = 1;
__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < %d; i++)
		state = state * 3 + 1;
}
"""


def launcher(bench, directory, name, padding, turns):
    """the example's launcher: NOP bytes before each function, `turns` of a loop in each launch"""
    with open(os.path.join(SOURCE, "examples/launcher/launcher.c"), encoding="utf-8") as file:
        text = file.read()
    nops = f'__asm__(".text\\n\\t.skip {padding}, 0x90");\n' if padding else ""
    text = text.replace("static int my_launch", LOOP % turns + nops + "static int my_launch", 1)
    text = text.replace("{\n\treturn cu_launch(", "{\n\twork();\n\treturn cu_launch(", 1)
    text = text.replace("struct ba_launcher_session {", nops + "struct ba_launcher_session {", 1)
    folder = os.path.join(directory, name)
    os.mkdir(folder)
    with open(os.path.join(folder, "launcher.c"), "w", encoding="utf-8") as out:
        out.write(text)
    bench.run(["cc", "-O2", "-g", "-fPIC", "-shared", "-falign-functions=1", "-I",
               os.path.join(SOURCE, "include"), "-o", "launcher.so",
               os.path.join(folder, "launcher.c")], folder)


def text_of(bench, library):
    return bench.run(["objdump", "-d", "-j", ".text", "--no-show-raw-insn", library], bench.top)


def pairs_of_nops(bench):
    """how many of 50 have the same path and no row; whether +2 % is regressed"""
    directory = os.path.join(bench.top, "nops")
    os.mkdir(directory)
    with open(os.path.join(directory, ".bench-against.json"), "w", encoding="utf-8") as out:
        json.dump({"suites": {"launch": {"kind": "launcher", "library": "launcher.so",
                                         "args": [2]}}}, out)
    launcher(bench, directory, "baseline", 0, 500)
    launcher(bench, directory, "slower", 0, 511)
    names = [f"nops{n}" for n in range(1, 51)]
    for n, name in enumerate(names, 1):
        launcher(bench, directory, name, n, 500)
    libraries = {n: text_of(bench, os.path.join(directory, n, "launcher.so"))
                 for n in ("baseline", *names)}
    if len(set(libraries.values())) != len(libraries):
        sys.exit("the NOP bytes are not in the libraries")
    found = {}
    for some in (names[:25], names[25:] + ["slower"]):
        found.update(bench.count(directory, "path:baseline", *(f"{n}=path:{n}" for n in some),
                                 "--in-place", "--config", ".bench-against.json"))
    same = sum(c["why"]["same_path"] and c["verdict"] == "unchanged" and
               c["why"]["baseline"] == c["why"]["candidate"]
               for n, c in found.items() if n in names)
    why = found["slower"]["why"]
    baseline, candidate = (why[s]["own"] + why[s]["runtime"] for s in ("baseline", "candidate"))
    print(f"\npairs that differ by NOP bytes alone: the same path in {same} of {len(names)}\n"
          f"{candidate - baseline:+} of {baseline} instructions "
          f"({100 * (candidate / baseline - 1):+.1f} %): {found['slower']['verdict']}, "
          f"first {short(why['functions'][0]['name'])}")
    return same == len(names) and found["slower"]["verdict"] == "regressed"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    chosen = sys.argv[2:] or ["c", "python", "nops"]
    top = tempfile.mkdtemp(prefix="explain_causes_")
    good, missed = True, 0
    try:
        bench = Bench(sys.argv[1], top)
        for word, plant in (("c", causes_in_c), ("python", causes_in_python)):
            if word in chosen:
                first, right = plant(bench)
                missed += 15 - first
                good = good and missed <= 2 and right == 15
        if "nops" in chosen:
            good = pairs_of_nops(bench) and good
    finally:
        shutil.rmtree(top)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
