"""What bench-against measures of this project: one of its programs, from start to end. Try it:

    bench-against run WORKTREE --target host
"""

import os

from bench_against_worker import benchmark

# The line to edit: the program and its arguments, such as the work that it is made for. It runs
# in the variant's tree, thousands of times, and must do the same each time.
COMMAND = ["@PROGRAM@", "--version"]

# where it is built: the first file of that name below this folder
BUILT = "@BUILT@"


def is_program(path):
    if not (os.path.isfile(path) and os.access(path, os.X_OK)) or os.path.islink(path):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF" or bool(COMMAND[0])


def find():
    """The program named first in COMMAND; without a name, the first that was built."""
    for folder, folders, files in os.walk(BUILT):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != "CMakeFiles")
        for name in sorted(files):
            wanted = name == COMMAND[0] if COMMAND[0] else ".so" not in name and ".o" not in name
            if wanted and is_program(os.path.join(folder, name)):
                return os.path.abspath(os.path.join(folder, name))
    raise FileNotFoundError(f"no program {COMMAND[0]!r} below '{BUILT}': edit COMMAND")


PROGRAM = find()


def run(arguments):
    """Its exit status, or minus the signal that ended it."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    child = os.posix_spawn(PROGRAM, [PROGRAM, *arguments], os.environ, file_actions=quiet)
    status = os.waitpid(child, 0)[1]
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


@benchmark(name=os.path.basename(PROGRAM))
def program():
    # how it ends is not looked at, but it must end in the same way each time
    arguments = COMMAND[1:]
    expected = run(arguments)
    if expected < 0 and arguments == ["--version"]:  # it may know no options
        arguments = []
        expected = run(arguments)
    if expected < 0:
        raise RuntimeError(f"'{PROGRAM}' was killed by signal {-expected}")

    def timed():
        status = run(arguments)
        if status != expected:
            raise RuntimeError(f"'{PROGRAM}' ended with status {status}, before with {expected}")

    return timed
