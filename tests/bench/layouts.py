#!/usr/bin/env python3
"""layouts.py BUILD [LAYOUTS]: does --layouts tell code that moved from code that is slower?

Builds launchers whose launch() runs a short loop, with 0, 16, 32 and 48 NOP bytes in front of it that
nobody executes, so that nothing but the loop's place differs. Compares each with the first on the host
target, without and with --layouts (8). Then the same with a loop that is 2 % longer.

BUILD should be a release build (-DCMAKE_BUILD_TYPE=RelWithDebInfo). Only x86-64. Exits with 1 if a
pair is a regression with --layouts, no pair differs by layout without it (then the processor does not
mind, and nothing is shown), or the longer loop is no regression."""
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
LOOP = r"""
__asm__(".pushsection .text.work,\"ax\",@progbits\n"
	".balign 16\n\t.fill %d,1,0x90\n"
	".globl work\n\t.hidden work\n\t.type work,@function\nwork:\n"
	"\tmov $%d,%%ecx\n"
	"1:\ttest $1,%%cl\n\tjz 2f\n\tadd $1,%%rax\n"
	"2:\ttest $2,%%cl\n\tjz 3f\n\tadd $1,%%rdx\n"
	"3:\ttest $4,%%cl\n\tjz 4f\n\tadd $1,%%rsi\n"
	"4:\tdec %%ecx\n\tjnz 1b\n\tret\n"
	".size work,.-work\n.popsection\n");
void work(void);
"""
CALL = "\t__asm__ volatile(\"call work\" : : : \"rax\", \"rcx\", \"rdx\", \"rsi\", \"cc\", \"memory\");\n"
ROUNDS = 400


def launcher(directory, nops, rounds=ROUNDS):
    """a folder with a library whose loop has so many rounds, behind so many NOP bytes"""
    text = open(os.path.join(SOURCE, "examples/launcher/launcher.c")).read()
    text = text.replace("static int my_launch(", LOOP % (nops, rounds) + "static int my_launch(")
    text = re.sub(r"(static int my_launch\([^{]*\{\n)", lambda m: m.group(1) + CALL, text)
    os.makedirs(directory)
    with open(os.path.join(directory, "launcher.c"), "w") as f:
        f.write(text)
    # a red zone would lie where the call puts its return address
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-g", "-fPIC", "-shared", "-mno-red-zone",
                    "-I", os.path.join(SOURCE, "include"), "-o", "liblauncher.so", "launcher.c"],
                   cwd=directory, check=True)
    with open(os.path.join(directory, ".bench-against.json"), "w") as f:
        json.dump({"target": "host", "suites": {
            "launch": {"kind": "launcher", "library": "liblauncher.so"}}}, f)


def compare(tool, where, baseline, candidate, *more):
    out = os.path.join(where, "results.json")
    command = [tool, "--cache-dir", os.path.join(where, "cache"), "--no-history", "--args", "0",
               "--fixed", "8", "--threshold", "1%", "--seed", "1", "--output", out, *more,
               f"path:{baseline}", f"path:{candidate}"]
    run = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
    with open(out) as f:
        series = json.load(f)["series"]
    host = next(s for s in series if s["metric"] == "host")
    c = host["comparisons"][0]
    sd = [v.get("layout_sd") for v in host["variants"]]
    return {"verdict": c["verdict"], "ratio": c["ratio"], "low": c["low"], "high": c["high"],
            "layout": "layout of code" in run.stdout, "sd": sd}


def show(name, r):
    sd = "" if r["sd"][0] is None else f"  layout moves it by {100 * r['sd'][0]:.1f} %"
    word = "  'layout'" if r["layout"] else ""
    print(f"{name:<34} x {r['ratio']:.4f}  ({r['low']:.4f} .. {r['high']:.4f})  "
          f"{r['verdict']}{word}{sd}", flush=True)


def main():
    build = os.path.abspath(sys.argv[1])
    layouts = sys.argv[2] if len(sys.argv) > 2 else "8"
    tool = os.path.join(build, "bin/bench-against")
    wrong = []
    with tempfile.TemporaryDirectory() as where:
        for nops in (0, 16, 32, 48):
            launcher(os.path.join(where, f"nops{nops}"), nops)
        launcher(os.path.join(where, "longer"), 0, ROUNDS + ROUNDS // 50)
        moved = 0
        for nops in (16, 32, 48):
            plain = compare(tool, where, "nops0", f"nops{nops}")
            show(f"{nops} NOP bytes", plain)
            averaged = compare(tool, where, "nops0", f"nops{nops}", "--layouts", layouts)
            show(f"{nops} NOP bytes, --layouts {layouts}", averaged)
            moved += plain["layout"]
            if averaged["verdict"] == "regressed":
                wrong.append(f"{nops} NOP bytes are a regression with --layouts")
        if not moved:
            wrong.append("no pair differs without --layouts")
        for more in ((), ("--layouts", layouts)):
            r = compare(tool, where, "nops0", "longer", *more)
            show(f"2 % more rounds {' '.join(more)}", r)
            if r["verdict"] != "regressed":
                wrong.append(f"2 % more rounds are {r['verdict']} {' '.join(more)}")
    for line in wrong:
        print(line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
