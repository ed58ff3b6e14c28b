#!/usr/bin/env python3
"""channels.py SOURCE VERSION [WHEEL]: the files by which others get the tool, checked without their
services. With BENCH_AGAINST_TEST_PIP=1 the channels' own tools check them too; with WHEEL a conda
package is built of it and its test runs. 77 without PyYAML."""

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

source, version = sys.argv[1:3]
wheel = sys.argv[3] if len(sys.argv) > 3 else None
top = tempfile.mkdtemp(prefix="channels-")
bad = 0


def check(good, what):
    global bad
    if not good:
        bad += 1
        print("channels.py:", what, file=sys.stderr)


def text(path):
    with open(os.path.join(source, path)) as file:
        return file.read()


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    check(done.returncode == 0, f"{' '.join(command)}: {done.stdout[-2000:]}")
    return done.stdout


# GitHub: the marketplace wants these, and one file at the root
action = yaml.safe_load(text("action.yml"))
check({"name", "description", "branding", "inputs", "runs"} <= set(action), "action.yml lacks a key")
check(action["inputs"]["package"]["default"] == "bench-against", "action.yml installs something else")

# GitLab: a header with inputs, and jobs that use them and no others
header, jobs = text("templates/bench-against.yml").split("\n---\n")
inputs = yaml.safe_load(header)["spec"]["inputs"]
used = set(re.findall(r"\$\[\[ inputs\.(\w+) \]\]", jobs))
check(used == set(inputs), f"the component declares {sorted(inputs)} and uses {sorted(used)}")
filled = re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda m: inputs[m.group(1)].get("default", "x"), jobs)
component = yaml.safe_load(filled)["bench-against"]
written = yaml.safe_load(text("share/bench-against/init/gitlab/bench-against.yml"))["bench-against"]
check(dict(component, stage=0) == dict(written, stage=0), "the component and what init writes differ")

# pre-commit
for hook in yaml.safe_load(text(".pre-commit-hooks.yaml")):
    check({"id", "name", "entry", "language"} <= set(hook), f"pre-commit: {sorted(hook)}")
    check(hook["language"] == "system" and hook["pass_filenames"] is False, "pre-commit: it would get files")

# conda, and the container: what they name exists
recipe = yaml.safe_load(text("cmake/channels/conda/recipe.yaml"))
check({"package", "source", "build", "tests", "about"} <= set(recipe), "recipe.yaml lacks a key")
container = text("cmake/channels/Containerfile")
check(re.search(r"^FROM \$\{BASE\}$", container, re.M) and "COPY *.whl" in container, "Containerfile: no base")

# agents: the folder has the name that the skill has
skill = text("docs/skill/bench-against/SKILL.md").split("---\n")
front = yaml.safe_load(skill[1])
check(front["name"] == "bench-against" and 0 < len(front["description"]) <= 1024, f"the skill: {front}")

if os.environ.get("BENCH_AGAINST_TEST_PIP") == "1":
    run(sys.executable, "-m", "venv", f"{top}/venv")
    run(f"{top}/venv/bin/pip", "install", "-q", "pre-commit", "check-jsonschema", "skills-ref", "py-rattler-build")
    run(f"{top}/venv/bin/pre-commit", "validate-manifest", f"{source}/.pre-commit-hooks.yaml")
    run(f"{top}/venv/bin/check-jsonschema", "--builtin-schema", "vendor.github-actions", f"{source}/action.yml")
    with open(f"{top}/component.yml", "w") as file:
        file.write(filled)
    run(f"{top}/venv/bin/check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", f"{top}/component.yml")
    run(f"{top}/venv/bin/agentskills", "validate", f"{source}/docs/skill/bench-against")
    if wheel:
        for part in ("noarch", "linux-64"):
            os.makedirs(f"{top}/channel/{part}")
            with open(f"{top}/channel/{part}/repodata.json", "w") as file:
                file.write('{"info": {}, "packages": {}, "packages.conda": {}}')
        made = run(f"{top}/venv/bin/python", "-c", "import sys, rattler_build as r\n"
                   "r.build_recipes([sys.argv[1]], channel=['file://' + sys.argv[2]], output_dir=sys.argv[3])",
                   f"{source}/cmake/channels/conda/recipe.yaml", f"{top}/channel", f"{top}/conda",
                   env=dict(os.environ, WHEEL=os.path.abspath(wheel), VERSION=version))
        found = [name for _, _, names in os.walk(f"{top}/conda") for name in names if name.endswith(".conda")]
        check(len(found) >= 1, f"no conda package: {made[-1000:]}")
shutil.rmtree(top)
if bad:
    sys.exit(1)
print("the files of the channels are right")
