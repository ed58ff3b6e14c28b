"""Environments of variants: what packages.c asks of Python, uv and pip.

    python3 -c SCRIPT COMMAND < request.json > answer.json

An answer with "error" has a sentence, and in "blame" whose fault it is: "variant" (no such
release), "machine" (network, disk) or "setup" (neither uv nor pip).
"""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import site
import sys

FORMAT = "environment 1"
NOTHING = "# no packages\n"
TROUBLES = {
    "No space left on device": "the disk is full",
    "os error 28": "the disk is full",
    "Disk quota exceeded": "the disk quota is used up",
    "NewConnectionError": "the package index cannot be reached",
    "Temporary failure in name resolution": "the package index cannot be reached",
    "Network is unreachable": "the package index cannot be reached",
    "ProxyError": "the package index cannot be reached",
    "ConnectTimeoutError": "the package index cannot be reached",
    "SSLError": "the package index cannot be reached",
    "Connection aborted": "the package index cannot be reached",
    "ReadTimeoutError": "the package index does not answer",
    "error sending request for url": "the package index cannot be reached",
}
UV = shutil.which("uv")
# "torch[extra] >= 2, < 3; python_version > '3.8' --hash=sha256:...": no address, path, option or variable
PLAIN = re.compile(
    r"\s*([A-Za-z0-9][\w.-]*\s*(\[[\w\s,.-]*\])?[\w\s.,*+!<>=~()]*(;([\w\s.,'\"<>=!()~]|(?<!\s)-)*)?)?"
    r"(\s*--hash[ =]\w+:[0-9a-f]+)*\s*\\?\Z",
    re.ASCII,
)
DISTRIBUTION = re.compile(r"(.+?)-([^-]+)(?:-py[\d.]+)?\.(?:dist|egg)-info$")


class Failure(Exception):
    def __init__(self, blame, sentence):
        super().__init__(sentence)
        self.blame = blame


def run(*argv, wanted="stdout"):
    import subprocess  # most questions start nothing

    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode == 0:
        return getattr(done, wanted)
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    # pip says at the end what it found wrong, and before that what it tried; below an error, uv names its cause
    errors = [i for i, line in enumerate(lines) if re.match(r"ERROR|error", line)]
    said = " ".join(lines[errors[-2:][0] if errors else -3 :][:4])
    for words, trouble in TROUBLES.items():
        if words in done.stderr:
            raise Failure("machine", f"{trouble}: {said}")
    if "No module named pip" in done.stderr:
        raise Failure("setup", f"environments need uv in PATH, or pip for '{sys.executable}'")
    if "no such option" in done.stderr:
        raise Failure("setup", f"environments need uv in PATH, or pip 22.3 or later for '{sys.executable}': {said}")
    raise Failure("variant", said or f"'{argv[0]}' failed with status {done.returncode}")


def digest(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def present_sites():
    sites = site.getsitepackages() + ([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])
    return [folder for folder in sites if os.path.isdir(folder)]


def sites_of(prefix):
    library = os.path.join(prefix, "lib")
    names = sorted(os.listdir(library)) if os.path.isdir(library) else []
    folders = [os.path.join(library, name, "site-packages") for name in names if name.startswith("python3")]
    return [folder for folder in folders if os.path.isdir(folder)]


# ---- what is asked for ----


def is_environment(folder):
    return os.path.exists(os.path.join(folder, "pyvenv.cfg")) or os.path.isdir(os.path.join(folder, "conda-meta"))


def is_file(value):
    return ("/" in value and "@" not in value) or value.endswith((".txt", ".lock", ".toml", ".whl"))


def text_of(value, path, files):
    """Of a requirements or lock file: of the variant's tree, else of this machine."""
    if value.endswith(".toml") or os.path.basename(value) in ("uv.lock", "poetry.lock"):
        raise Failure(
            "variant",
            f"'{value}' is not in the format of requirements; write it with: uv export -o requirements.txt",
        )
    if value in files and not value.endswith(".whl"):
        return files[value]
    if not os.path.isfile(path):
        raise Failure("variant", f"there is no '{value}', neither in the tree nor here")
    if value.endswith(".whl"):
        with open(path, "rb") as wheel:  # the same name may have another content tomorrow
            return f"# {hashlib.sha256(wheel.read()).hexdigest()}\n{path}"
    with open(path, encoding="utf-8") as file:
        return file.read()


def plain(text):
    """Releases by name, without comments: of anything else pip and uv run code before the sandbox is there."""
    lines = [re.sub(r"(^|\s)#.*", "", line) for line in text.splitlines()]
    strange = [line for line in lines if not PLAIN.match(line)]
    if strange:
        raise Failure(
            "variant",
            f"'{strange[0].strip()}': where a gate or a sandbox protects the machine, packages have only a name, a "
            "version and hashes, without options, addresses and paths",
        )
    return "\n".join(lines)


def wish_of(request):
    """The folder of an environment or None; requirements; does it replace the present Python?
    Do packages of the present Python serve? (A wheel may have their version and other code.)"""
    folder, texts, alone = None, [], False
    for value in request["parts"]:
        path = os.path.abspath(os.path.join(request["directory"], value))
        if os.path.isdir(path) and (is_environment(path) or "/" in value):
            folder = os.path.realpath(path)
        elif is_file(value):
            text = text_of(value, path, dict(zip(request["files"], request["texts"])))
            wheel = value.endswith(".whl")
            texts.append(plain(text) if request["wheels"] and not wheel else text)
            alone = alone or not wheel
        else:
            texts.append(plain(value) if request["wheels"] else value)
    if folder and not is_environment(folder):
        raise Failure(
            "variant", f"'{folder}' is neither a virtual environment (pyvenv.cfg) nor a conda prefix (conda-meta)"
        )
    if folder and len(request["parts"]) > 1:
        raise Failure(
            "variant",
            f"'{folder}' is an environment of yours, which bench-against does not change: "
            "name packages without it, or install them there",
        )
    text = "\n".join(texts) + "\n" if texts else ""
    return folder, text, alone, not alone and not any(re.search("[@/]|--hash", text) or is_local(text) for text in texts)


def is_local(text):
    """Is a package of this name here, and from a folder, a file or an address? It may have any code."""
    name = re.match(r"\s*([A-Za-z0-9][\w.-]*)", text)
    for found, _, path in distributions_in(filter(os.path.isdir, sys.path)) if name else ():
        if found == normalized(name[1]):
            return os.path.exists(os.path.join(path, "direct_url.json"))
    return False


def normalized(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def distributions_in(folders):
    """Name, version and path of each. importlib.metadata would take as long as all the rest."""
    for folder in folders:
        for entry in sorted(os.listdir(folder)):
            match = DISTRIBUTION.match(entry)
            if match:
                yield normalized(match[1]), match[2], os.path.join(folder, entry)


def link_words():
    words = re.split(r"[ ,]+", f"{os.environ.get('PIP_FIND_LINKS', '')} {os.environ.get('UV_FIND_LINKS', '')}")
    return [word for word in words if word]


def links():
    folders = [word[7:] if word.startswith("file://") else word for word in link_words()]
    return [folder for folder in folders if os.path.isdir(folder)]


def sources():
    """What pip's and uv's variables say to both of them; uv has none for --no-index."""
    values = [os.environ.get(name, "").lower() for name in ("PIP_NO_INDEX", "UV_NO_INDEX")]
    offline = any(value not in ("", "0", "false", "no", "off", "n", "f") for value in values)
    return ["--no-index"] * offline + [word for link in link_words() for word in ("--find-links", link)]


def setting_files():
    """What of pip's and uv's settings is in files: constraints and configurations, which exist or may come."""
    named = ("PIP_CONSTRAINT", "PIP_CONFIG_FILE", "UV_CONSTRAINT", "UV_OVERRIDE", "UV_CONFIG_FILE")
    files = [word for name in named for word in os.environ.get(name, "").split()]
    mine = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    folders = [*os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":"), mine, "/etc"]
    files += [os.path.join(folder, name) for folder in folders for name in ("pip/pip.conf", "uv/uv.toml")]
    return [*files, "/etc/pip.conf", os.path.expanduser("~/.pip/pip.conf"), os.path.join(sys.prefix, "pip.conf")]


def content_of(path):
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return "none"


def key_of(request, requirements, alone, reuse):
    """All that can change what a request resolves to, except what is in a remote index."""
    settings = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith(("PIP_", "UV_")))
    for folder in links():
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            settings.append(f"{entry.path} {entry.stat().st_size} {entry.stat().st_mtime_ns}")
    settings += [f"{path} {content_of(path)}" for path in setting_files()]
    settings += names_in([], False) if reuse else []
    tool = "uv" if UV else "pip"
    return digest(FORMAT, tool, sys.executable, sys.version, str(alone), str(request["wheels"]), requirements, *settings)


def find(request):
    """An environment that exists; or what a request resolves to, now or when it was asked before."""
    folder, requirements, alone, reuse = wish_of(request)
    if folder:
        return {"dir": folder, "alone": True, "sha256": digest(folder, *names_in([folder], True))}
    kept = os.path.join(request["cache"], "environments", key_of(request, requirements, alone, reuse))
    if os.path.exists(kept) and not request["again"]:
        with open(kept, encoding="utf-8") as file:
            return {"alone": alone, "sha256": file.read()}
    if request["only_cached"]:
        raise Failure("variant", "it is not in the cache, and --no-build was given; run once without it")
    pins = resolve(requirements, request["wheels"], reuse)
    above = [] if alone else present_sites()
    answer = {"alone": alone, "pins": pins, "sha256": digest(FORMAT, sys.executable, sys.version, pins, *above)}
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    os.replace(write(kept + f".{os.getpid()}", answer["sha256"]), kept)
    return answer


# ---- resolving and installing ----


def pin(item):
    """A row of pip's installation report as a requirement of one release."""
    name, version = item["metadata"]["name"], item["metadata"]["version"]
    source = item["download_info"]
    below = f"#subdirectory={source['subdirectory']}" if source.get("subdirectory") else ""
    if "vcs_info" in source:
        return f"{name} @ {source['vcs_info']['vcs']}+{source['url']}@{source['vcs_info']['commit_id']}{below}"
    if "archive_info" not in source:
        raise Failure(
            "variant",
            f"{name} comes from the folder '{source['url']}', which may change; build a wheel of it, and name that",
        )
    release = f"{name} @ {source['url']}{below}" if item.get("is_direct") else f"{name}=={version}"
    return f"{release}  # {json.dumps(source['archive_info'].get('hashes', {}), sort_keys=True)}"


def only_wheels(wheels):
    return ["--only-binary", ":all:"] if wheels else []


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return os.path.abspath(name)


def resolve(requirements, wheels, reuse):
    path = write("requirements.txt", requirements)
    options = [*only_wheels(wheels), *sources()]
    if UV:
        options += ["--python", sys.executable]
        if reuse:
            dry = [UV, "pip", "install", "--dry-run", "--break-system-packages"]
            missing = re.findall(r"^ \+ (.+)$", run(*dry, *options, "-r", path, wanted="stderr"), re.MULTILINE)
            path = write("missing.txt", "\n".join(missing))
            options.append("--no-deps")
        options += ["--quiet", "--no-header", "--no-annotate", "--generate-hashes"]
        return run(UV, "pip", "compile", *options, path) or NOTHING
    options += ["--quiet", "--dry-run", "--report", "-"] + ["--ignore-installed"] * (not reuse)
    report = run(sys.executable, "-m", "pip", "install", *options, "-r", path)
    return "".join(sorted(pin(item) + "\n" for item in json.loads(report)["install"])) or NOTHING


def pip_for(python):
    """pip of this Python for another one: what `pip --python` starts, without the start before it."""
    found = importlib.util.find_spec("pip")
    runner = os.path.join(os.path.dirname(found.origin or ""), "__pip-runner__.py") if found else ""
    return [python, runner] if os.path.exists(runner) else [sys.executable, "-m", "pip", "--python", python]


def install(request):
    target, python = request["dir"], os.path.join(request["dir"], "bin", "python")
    pins = write("pins.txt", request["pins"])
    run(sys.executable, "-m", "venv", "--without-pip", target)
    if UV:
        tool = [UV, "pip", "install", "--compile-bytecode", "--link-mode", "copy", "--python", python]
    else:
        tool = [*pip_for(python), "install", "--ignore-installed"]
    if request["pins"] != NOTHING:
        run(*tool, "--quiet", "--no-deps", *only_wheels(request["wheels"]), *sources(), "-r", pins)
    if not request["alone"]:
        # what the environment lacks comes from the folders of the present Python
        lines = [f"import site; site.addsitedir({folder!r})\n" for folder in present_sites()]
        write(os.path.join(sites_of(target)[0], "zz-bench-against.pth"), "".join(lines))
    return {}


def names_in(prefixes, alone):
    """ "torch 2.9.0": the first folder that has a distribution counts."""
    folders = [folder for prefix in prefixes for folder in sites_of(prefix)]
    folders += [] if alone else present_sites()
    found = {}
    for name, version, _ in distributions_in(folders):
        found.setdefault(name, version)
    return sorted(f"{name} {version}" for name, version in found.items())


def installed(prefix, alone):
    """A digest of the files, by their records; "": a record does not say. Versions, metadata and scripts do not count."""
    rows = []
    for folder in sites_of(prefix):
        for name in sorted(os.listdir(folder)):
            record = os.path.join(folder, name, "RECORD")
            if name.endswith(".dist-info") and os.path.exists(record):
                with open(record, encoding="utf-8") as file:
                    rows += [row for row in file if not re.match(r"[^/,]*\.dist-info/|(\.\./)+bin/|.*\.pyc,", row)]
    told = all(row.rsplit(",", 2)[1:2] not in ([], [""]) for row in rows)
    return digest(str(alone), *sorted(rows)) if told else ""


def distributions(request):
    prefix = request["dir"]
    ours = prefix and prefix.startswith(os.path.join(request["cache"], ""))
    names = names_in([prefix] if prefix else [], request["alone"])
    return {"distributions": names, "sha256": installed(prefix, request["alone"]) if ours else ""}


def versions(request):
    text = run(sys.executable, "-m", "pip", "index", "versions", "--", request["name"])
    match = re.search(r"Available versions: (.*)", text)
    return {"versions": [version.strip() for version in match[1].split(",")][::-1] if match else []}


def main():
    os.environ.update(PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1", NO_COLOR="1", LC_ALL="C.UTF-8")
    os.environ.pop("PIP_TARGET", None)
    if "PIP_EXTRA_INDEX_URL" in os.environ and "UV_EXTRA_INDEX_URL" not in os.environ:
        os.environ.setdefault("UV_INDEX_STRATEGY", "unsafe-best-match")  # as pip chooses among indexes
    for name in ("INDEX_URL", "EXTRA_INDEX_URL"):
        if f"PIP_{name}" in os.environ:
            os.environ.setdefault(f"UV_{name}", os.environ[f"PIP_{name}"])
    commands = {f.__name__: f for f in (find, install, distributions, versions)}
    try:
        answer = commands[sys.argv[1]](json.load(sys.stdin))
    except Failure as failure:
        answer = {"error": str(failure), "blame": failure.blame}
    except OSError as error:
        answer = {"error": str(error), "blame": "machine"}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
