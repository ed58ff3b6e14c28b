"""quick_python.py FOLDER: makes an environment there whose `python3` finds the packages of this one, and
runs nothing of them when it starts (*.pth files can name code). Prints the folder of that `python3`,
or of this one if there can be no environment."""

import os
import subprocess
import sys
import venv

folder = os.path.abspath(sys.argv[1])
found = os.path.dirname(sys.executable)
try:
    # without what `site` adds
    bare = subprocess.run([sys.executable, "-S", "-c", "import sys; print(*sys.path, sep='\\n')"],
                          check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.split("\n")
    packages = [path for path in sys.path[1:] if os.path.isdir(path) and path not in bare]
    venv.create(folder, symlinks=True, clear=True)
    own = subprocess.run([folder + "/bin/python3", "-c",
                          "import sysconfig; print(sysconfig.get_paths()['purelib'])"],
                         check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.strip()
    # lines that are paths, whose own *.pth files are not read
    with open(own + "/packages.pth", "w", encoding="utf-8") as lines:
        lines.writelines(path + "\n" for path in packages)
    found = folder + "/bin"
except (OSError, subprocess.SubprocessError) as error:
    print(error, file=sys.stderr)
print(found)
