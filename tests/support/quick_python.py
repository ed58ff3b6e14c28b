"""quick_python.py FOLDER TOOLS: makes an environment in FOLDER whose `python3` finds the packages of
this one, and another in FOLDER/system for that of the system. They run nothing of the packages when
they start (*.pth files can name code), and they find compiled modules of Python, of the packages and
of TOOLS beside the sources: the tool gives each variant of each run an empty PYTHONPYCACHEPREFIX, into
which else all of them are compiled, which takes a second for pytest. Modules of a tree still are.
Prints the folder of that `python3`, or of this one if there can be no environment."""

import os
import subprocess
import sys

# sys.path, without and with what `site` adds
PATHS = "import sys; print(*sys.path[1:], sep='\\n')"
# runs in each start, and is no module of it
BESIDE = """import _frozen_importlib_external as importing

def beside(old, folders):
    def cache_from_source(path, *arguments, **options):
        kept = old(path, *arguments, **options)
        if not path.startswith(folders):
            return kept
        return path.rpartition("/")[0] + "/__pycache__/" + kept.rpartition("/")[2]
    return cache_from_source

importing.cache_from_source = beside(importing.cache_from_source, %r)
"""


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout.strip().split("\n")


def make(folder, python, tools):
    """The folder of an environment's `python3`, or of PYTHON."""
    try:
        bare, all_of = output(python, "-S", "-c", PATHS), output(python, "-c", PATHS)
        packages = [path for path in all_of if os.path.isdir(path) and path not in bare]
        output(python, "-m", "venv", "--symlinks", "--clear", "--without-pip", folder)
        [own] = output(folder + "/bin/python3", "-c",
                       "import sysconfig; print(sysconfig.get_paths()['purelib'])")
        real = os.path.realpath(tools + "/bench_against_worker")
        with open(own + "/beside.py", "w", encoding="utf-8") as file:
            file.write(BESIDE % (tuple(bare + packages + [tools, real]),))
        # as the only one of its name it needs no other folder
        output(folder + "/bin/python3", "-m", "compileall", "-q", "-b", own + "/beside.py")
        os.remove(own + "/beside.py")
        # lines that are paths, whose own *.pth files are not read
        with open(own + "/packages.pth", "w", encoding="utf-8") as lines:
            lines.writelines(path + "\n" for path in packages)
            lines.write("import beside, sys; del sys.modules['beside']\n")
        return folder + "/bin"
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        print(error, file=sys.stderr)
        return os.path.dirname(python)


folder, tools = map(os.path.abspath, sys.argv[1:])
print(make(folder, sys.executable, tools))
make(folder + "/system", "/usr/bin/python3", tools)
