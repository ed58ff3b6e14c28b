#!/usr/bin/env python3
"""changes.py COMPARE OUT [harmless] [runtime] [mutations] [flips] [scale] [toolkits]

Compiles programs of this folder for four architectures, changes them, and asks COMPARE (built from
compare.c) about each kernel. A change that leaves the code alone must leave no kernel "changed", and
a mutation none "same": the exit status is 1 otherwise. Writes tables to OUT/changes.md. Needs nvcc;
77 without it. `runtime` is skipped where Python has neither Triton nor cuda.core.
"""
import collections
import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHS = ["80", "90", "100", "120"]
COMPARE, OUT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FAILED = []
CODES = sum((["-gencode", f"arch=compute_{a},code=sm_{a}"] for a in ARCHS), [])


def run(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout


def folder(*names):
    path = os.path.join(OUT, *names)
    os.makedirs(path, exist_ok=True)
    return path


def source(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return f.read()


def build(where, text, name="k.cu", flags=(), kind="-fatbin", codes=None):
    """Compiles text as where/name; returns the path of the result."""
    path = folder(where)
    out = "result" + {"-fatbin": ".fatbin", "-c": ".o", "-ptx": ".ptx"}.get(kind, "")
    command = ["nvcc", *(codes or CODES), "--extended-lambda", "-std=c++17", *([kind] if kind else []), *flags,
               "-o", out, name]
    compile_once(path, {name: text}, command, out)
    return os.path.join(path, out)


def compile_once(path, files, command, out):
    """Compiles unless OUT has the result of the same command and files, of a run before."""
    stamp = os.path.join(path, "stamp")
    key = repr((files, command))
    if os.path.exists(stamp) and open(stamp, encoding="utf-8").read() == key:
        return
    for name, text in files.items():
        with open(os.path.join(path, name), "w", encoding="utf-8") as f:
            f.write(text)
    run(*command, cwd=path)
    assert os.path.exists(os.path.join(path, out))
    with open(stamp, "w", encoding="utf-8") as f:
        f.write(key)


def verdicts(base, mine):
    """[(verdict, target, kernel, why)]; a file that cannot be read is one row of "error"."""
    done = subprocess.run([COMPARE, base, mine], capture_output=True, text=True)
    if done.returncode not in (0, 2):
        sys.exit(f"{COMPARE} {base} {mine}: {done.returncode} {done.stderr}")
    return [tuple(line.split("\t")) for line in done.stdout.splitlines()]


# ---- changes that leave the code alone ----

def swap_kernels(text):
    a = re.search(r"^__global__ void k_sin.*\n", text, re.M).group(0)
    return text.replace(a, "").replace("__global__ void k_tex", a + "__global__ void k_tex")


def rename_locals(text):
    return text.replace("float a[40]", "float numbers[40]").replace("a[i]", "numbers[i]").replace(
        "a[j]", "numbers[j]").replace("a[j+1]", "numbers[j+1]")


NEW = "__global__ void added(float *p) { printf(\"%f\\n\", p[0]); p[1] = sinf(p[2]); }\n"
FIRST = "template <typename T, int N>"


def harmless_rows():
    """(what, base, mine): builds the files that are compared."""
    a = source("a.cu")
    # the line of an assertion is part of its code, and its file is data
    a = re.sub(r"^.*k_assert.*\n", "", a, flags=re.M)
    base = build("a0", a)
    line_base = build("a_lines0", a, flags=["-lineinfo"])
    ptx_codes = ["-arch=sm_90"]
    ptx = build("a_ptx0", a, kind="-ptx", codes=ptx_codes)
    program, objects = build("a_exe0", a, kind=""), build("a_obj0", a, kind="-c", flags=["-rdc=true"])
    moved = "// moved\n\n\n" + a.replace("__global__ void k_dyn", "/* here */\n\n__global__ void k_dyn")
    added = a.replace(FIRST, NEW + FIRST, 1)
    variable = a.replace(FIRST, "__device__ int more = 3;\n__device__ float sums[7];\n"
                         "__global__ void add_more(int *p) { p[0] = more++ + sums[p[1]]; }\n" + FIRST, 1)
    one = [("built again", a, {}), ("another folder", a, {}), ("host -O0 -g", a, {"flags": ["-Xcompiler", "-O0,-g"]}),
           ("-std=c++20 -DFOO=1", a, {"flags": ["-std=c++20", "-DFOO=1"]}),
           ("comments and lines", moved, {}), ("names of locals", rename_locals(a), {}),
           ("another file name", a, {"name": "another_name.cu"}), ("-lineinfo", a, {"flags": ["-lineinfo"]}),
           ("two kernels swapped", swap_kernels(a), {}), ("a kernel added", added, {}),
           ("a variable and a kernel added", variable, {}),
           ("a variable added at the end", a + "__device__ int last[9];\n", {}),
           ("a static variable renamed", a.replace("hidden", "concealed"), {}),
           ("a __constant__ added", a.replace(FIRST, "__constant__ int more[3] = {1};\n"
            "__global__ void add_more(int *p) { p[0] = more[1]; }\n" + FIRST, 1), {}),
           ("text of another kernel's printf", added, {}),
           ("--threads 2", a, {"flags": ["--threads", "2"]}),
           ("--compress-mode size", a, {"flags": ["--compress-mode", "size"]}),
           ("--compress-mode speed", a, {"flags": ["--compress-mode", "speed"]}),
           ("--compress-mode none", a, {"flags": ["--compress-mode", "none"]})]
    for i, (what, text, more) in enumerate(one):
        mine = build(f"a{i + 1}", text, **more)
        if what == "text of another kernel's printf":
            yield what, mine, build(f"a{i + 1}_b", text.replace('"%f', '"now %f'))
        else:
            yield what, base, mine
    yield "lines move under -lineinfo", line_base, build("a_lines1", moved, flags=["-lineinfo"])
    yield "PTX: built again", ptx, build("a_ptx1", a, kind="-ptx", codes=ptx_codes)
    yield "PTX: another file name", ptx, build("a_ptx2", a, name="other.cu", kind="-ptx", codes=ptx_codes)
    yield "PTX: -lineinfo", ptx, build("a_ptx3", moved, kind="-ptx", codes=ptx_codes, flags=["-lineinfo"])
    yield "PTX: a kernel added", ptx, build("a_ptx4", added, kind="-ptx", codes=ptx_codes)
    yield "PTX: two kernels swapped", ptx, build("a_ptx5", swap_kernels(a), kind="-ptx", codes=ptx_codes)
    yield "an executable in another folder", program, build("a_exe1", a, kind="")
    yield "an executable, packed", program, build("a_exe2", a, kind="", flags=["--compress-mode", "size"])
    yield "an object before linking", objects, build("a_obj1", moved, kind="-c", flags=["-rdc=true"])
    yield "the same, under another name", objects, build("a_obj2", a, name="n.cu", kind="-c", flags=["-rdc=true"])
    yield from linked_rows()
    yield from cub_rows()


def link(where, main, other, flags=(), name="main.cu"):
    path = folder(where)
    compile_once(path, {name: main, "other.cu": other},
                 ["nvcc", *CODES, *flags, "-rdc=true", "-o", "result", name, "other.cu"], "result")
    return os.path.join(path, "result")


def linked_rows():
    main, other = source("rdc_main.cu"), source("rdc_other.cu")
    base = link("r0", main, other)
    more = "__device__ int spare = 3;\n__global__ void more(int *p) { p[0] = spare++; }\n"
    yield "device link: another folder", base, link("r1", main, other)
    yield "device link: lines and comments", base, link("r2", "// a\n\n" + main, "\n" + other)
    yield "device link: -lineinfo", base, link("r3", main, other, ["-lineinfo"])
    yield "device link: another file name", base, link("r4", main, other, name="other_main.cu")
    yield "device link: a kernel and a variable added", base, link("r5", more + main, other)
    yield "device link: packed", base, link("r6", main, other, ["--compress-mode", "size"])


def cub_rows():
    text = source("cub.cu")
    base = build("c0", text)
    yield "CUB: another folder and file name", base, build("c1", "//\n" + text, name="other.cu")
    yield "CUB: an architecture more", base, build(
        "c2", text, codes=CODES + ["-gencode", "arch=compute_86,code=sm_86"])
    yield "CUB: -lineinfo", base, build("c3", text, flags=["-lineinfo"])


# ---- compilers at run time ----

TRITON = """
import triton
import triton.language as tl

@triton.jit
def scale(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 3.0, mask=i < n)
"""


def triton_cubin(where, text, arch):
    os.environ["TRITON_ALWAYS_COMPILE"] = "1"
    import triton
    from triton.backends.compiler import GPUTarget
    path = os.path.join(folder(where), "k.py")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    spec = importlib.util.spec_from_file_location(where, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    source_of = triton.compiler.ASTSource(fn=module.scale, constexprs={"B": 128},
                                          signature={"x": "*fp32", "y": "*fp32", "n": "i32", "B": "constexpr"})
    return triton.compile(source_of, target=GPUTarget("cuda", int(arch), 32)).asm["cubin"]


def nvrtc_cubin(_, text, arch):
    from cuda.core import Program, ProgramOptions
    return Program(text, "c++", ProgramOptions(arch=f"sm_{arch}")).compile("cubin").code


def runtime_rows():
    nvrtc = "namespace { __global__ void hidden(int *p) { p[0]++; } }\n" \
            "__device__ float t[4] = {1};\nextern \"C\" __global__ void k(float *p) { p[threadIdx.x] *= t[threadIdx.x & 3]; }\n"
    more = "__device__ int first = 3;\nextern \"C\" __global__ void f(int *p) { p[0] = first++; }\n"
    programs = [("Triton", "triton", triton_cubin, TRITON, {"another folder": TRITON, "lines move": "#\n\n\n" + TRITON}),
                ("NVRTC", "cuda.core", nvrtc_cubin, nvrtc, {"lines move": "// a\n\n" + nvrtc,
                                                            "a kernel and a variable added": more + nvrtc})]
    for title, module, compiler, text, changes in programs:
        if not importlib.util.find_spec(module.split(".")[0]):
            print("not installed:", module)
            continue
        for i, (what, changed) in enumerate(changes.items()):
            for arch in ARCHS:
                paths = []
                for side, t in (("base", text), ("mine", changed)):
                    name = f"run_{title}_{i}_{side}_{arch}"
                    paths.append(os.path.join(folder(name), "k.cubin"))
                    with open(paths[-1], "wb") as f:
                        f.write(compiler(name, t, arch))
                yield f"{title}: {what}, sm_{arch}", *paths


def runtime(out):
    harmless(out, runtime_rows, "Compilers at run time")


def harmless(out, rows_of=harmless_rows, title="Changes that leave the code alone"):
    total, kernels = collections.Counter(), 0
    out.write(f"## {title}\n\n| change | kernels | same | changed | other data or limits "
              "| open |\n|---|---:|---:|---:|---:|---:|\n")
    changes = 0
    for what, base, mine in rows_of():
        rows = [r for r in verdicts(base, mine) if r[0] not in ("added",)]
        count = collections.Counter(r[0] for r in rows)
        targets = {r[1] for r in rows}
        changes += len(targets)
        other = count["data"] + count["limits"] + count["renamed"]
        out.write(f"| {what} | {len(rows)} | {count['same']} | {count['changed'] + count['removed'] + count['error']} "
                  f"| {other} | {count['open']} |\n")
        for r in rows:
            if r[0] != "same":
                print(what, *r)
            if r[0] in ("changed", "removed", "error"):
                FAILED.append(what)
        total.update(count)
        kernels += len(rows)
    out.write(f"\n{changes} changes (a row for each architecture), {kernels} kernels: {total['same']} same, "
              f"{total['changed'] + total['removed'] + total['error']} changed, {total['open']} open "
              f"({100 * total['open'] / max(kernels, 1):.2f} %).\n\n")


# ---- mutations ----

def judge(rows, kernel):
    """Per target: what is said about the kernel."""
    if rows and rows[0][0] == "error":
        return {a: "error" for a in ARCHS}
    found = {}
    for verdict, target, name, _ in rows:
        if re.match(rf"^_Z\d+{kernel}(?![a-z_])", name) and verdict not in ("added",):
            found[target[3:]] = verdict
    return found


def mutations(out):
    text = source("b.cu")
    base = build("b0", text)
    table, unchanged, missed, others = collections.defaultdict(collections.Counter), 0, [], 0
    for i, line in enumerate(l for l in source("mutations.txt").splitlines() if l and l[0] != "#"):
        kernel, old, new = (x.replace("\\n", "\n").replace("\\t", "\t") for x in line.split("\t"))
        if old not in text:
            sys.exit(f"mutations.txt: {old!r} is not in b.cu")
        mine = build(f"b{i + 1}", text.replace(old, new, 1))
        rows = verdicts(base, mine)
        for target, verdict in judge(rows, kernel).items():
            if verdict == "same" and cubin_of(base, target) == cubin_of(mine, target):
                unchanged += 1
                continue
            table[kernel][verdict] += 1
            if verdict == "same":
                missed.append(f"{line} (sm_{target})")
        others += sum(r[0] in ("changed", "removed") and not re.match(rf"^_Z\d+{kernel}", r[2]) for r in rows)
    write_table(out, "Edits of b.cu", table, missed)
    out.write(f"{unchanged} edits left the cubin as it was. Kernels that were not edited and changed, with the functions and "
              f"variables that they share: {others}.\n\n")
    link_mutations(out)


def write_table(out, title, table, missed):
    words = ["changed", "limits", "data", "open", "error", "removed", "renamed", "same"]
    out.write(f"## {title}\n\n| kernel or part | " + " | ".join(words) + " |\n|---|" + "---:|" * len(words) + "\n")
    for name, count in table.items():
        out.write(f"| {name} | " + " | ".join(str(count[w]) for w in words) + " |\n")
    cases = sum(sum(c.values()) for c in table.values())
    # one that has another name and is equal to another kernel is no kernel that is the same
    out.write(f"\n{cases} cases, {len(missed)} the same.\n\n")
    FAILED.extend(missed)
    for m in missed:
        out.write(f"- missed: `{m}`\n")


def link_mutations(out):
    main, other = source("rdc_main.cu"), source("rdc_other.cu")
    base = link("r0", main, other)
    table, missed = collections.defaultdict(collections.Counter), []
    edits = [("callee of a callee", main, other.replace("% 13", "% 17"), "caller", "neighbour"),
             ("callee", main, other.replace("* 7", "* 9"), "caller", "neighbour"),
             ("variable of another object", main, other.replace("= 5", "= 6"), "caller", "neighbour"),
             ("own static variable", main.replace("own = 5", "own = 6"), other, "neighbour", "caller")]
    for i, (what, new_main, new_other, kernel, untouched) in enumerate(edits):
        rows = verdicts(base, link(f"rm{i}", new_main, new_other))
        for target, verdict in judge(rows, kernel).items():
            table[f"{what} ({kernel})"][verdict] += 1
            if verdict == "same":
                missed.append(f"{what} (sm_{target})")
        for target, verdict in judge(rows, untouched).items():
            table[f"{what} (its neighbour, must be the same)"][verdict] += 1
    write_table(out, "Edits behind a device link", table, missed)


# ---- one bit of a cubin ----

def images(path):
    with open(path, "rb") as f:
        data = f.read()
    at, out = 16, {}
    while at < len(data):
        kind, _, header, size, packed = struct.unpack_from("<HHIQI", data, at)
        arch, = struct.unpack_from("<I", data, at + 28)
        if kind == 2 and not packed:
            out[str(arch)] = data[at + header:at + header + size]
        at += header + size
    return out


CACHE = {}


def cubin_of(path, target):
    if path not in CACHE:
        CACHE[path] = images(path)
    return CACHE[path].get(target)


def sections(cubin):
    at, = struct.unpack_from("<Q", cubin, 40)
    count, strings = struct.unpack_from("<HH", cubin, 60)
    rows = [struct.unpack_from("<IIQQQQIIQQ", cubin, at + 64 * i) for i in range(count)]
    base = rows[strings][4]
    for i, r in enumerate(rows):
        name = cubin[base + r[0]:cubin.index(b"\0", base + r[0])].decode()
        yield name, r[1], r[4], r[5], at + 64 * i


def records(cubin, at, size):
    """(attribute, where its value is, its size)"""
    end = at + size
    while at + 4 <= end:
        form, attribute, value = cubin[at], cubin[at + 1], struct.unpack_from("<H", cubin, at + 2)[0]
        yield attribute, (at + 4, value) if form == 4 else (at + 2, 2)
        at += 4 + ((value + 3) & ~3 if form == 4 else 0)


def symbols(cubin):
    for _, kind, at, size, _ in sections(cubin):
        if kind == 2:
            return [struct.unpack_from("<IBBHQQ", cubin, at + 24 * i) + (at + 24 * i,) for i in range(size // 24)]
    return []


# bits of the last eight bytes of an instruction: how it is scheduled
SCHEDULING = {"stall": 105 - 64, "yield": 109 - 64, "write barrier": 110 - 64, "read barrier": 113 - 64,
              "wait mask": 116 - 64, "reuse": 122 - 64}


def flip_places(cubin, kernel):
    """(part, byte, bit)"""
    number = {i for i, s in enumerate(symbols(cubin)) if s[2] & 0x10 and cubin_name(cubin, s) == kernel}
    for name, kind, at, size, header in sections(cubin):
        if name == ".text." + kernel:
            for part, bit in SCHEDULING.items():
                for instruction in (1, 5, 9):
                    yield part, at + 16 * instruction + 8 + bit // 8, bit % 8
            for n in range(0, min(size, 320), 48):
                yield "instruction", at + n, n % 7
            yield "size of .text", header + 32, 4
            yield "alignment of .text", header + 48, 6
        elif name == ".nv.info." + kernel:
            for attribute, (where, bytes_) in records(cubin, at, size):
                if attribute in (0x37, 0x0f) or not bytes_:
                    continue
                yield f"record 0x{attribute:02x}", where + (4 if attribute == 0x0a else 0), 0
            yield "an attribute's number", at + 1 + 4 + 4, 6
            yield "size of .nv.info.K", header + 32, 1
        elif name == ".nv.info":
            for attribute, (where, _) in records(cubin, at, size):
                if struct.unpack_from("<I", cubin, where)[0] in number and attribute in (0x2f, 0x11, 0x12):
                    yield f"record 0x{attribute:02x} of .nv.info", where + 4, 3
        elif name.endswith("." + kernel) and name.startswith(".nv.constant"):
            yield "size of " + name[:13], header + 32, 2
            yield "content of " + name[:13], at + size // 2, 5


def cubin_name(cubin, symbol):
    for name, _, at, _, _ in sections(cubin):
        if name == ".strtab":
            return cubin[at + symbol[0]:cubin.index(b"\0", at + symbol[0])].decode()
    return ""


def flips(out):
    base = build("b0", source("b.cu"))
    table, missed = collections.defaultdict(collections.Counter), []
    where = folder("flips")
    kernel = "_Z6k_gemmPKfS0_Pfi"
    for arch, cubin in images(base).items():
        original = os.path.join(where, f"{arch}.cubin")
        with open(original, "wb") as f:
            f.write(cubin)
        for part, byte, bit in flip_places(cubin, kernel):
            flipped = bytearray(cubin)
            flipped[byte] ^= 1 << bit
            path = os.path.join(where, "flipped.cubin")
            with open(path, "wb") as f:
                f.write(flipped)
            rows = verdicts(original, path)
            said = judge(rows, "k_gemm").get(arch, "removed")
            table[re.sub(r" 0x.*", "", part) if part.startswith("record") else part][said] += 1
            if said == "same":
                missed.append(f"sm_{arch}: {part}, byte {byte}, bit {bit}")
    write_table(out, "A flipped bit in the cubin, for k_gemm", table, missed)


# ---- many kernels ----

ENTRY = """.visible .entry k{0}(.param .u64 k{0}_p, .param .u32 k{0}_n)
{{
	.reg .pred %p<2>; .reg .f32 %f<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
	ld.param.u64 %rd1, [k{0}_p]; ld.param.u32 %r1, [k{0}_n]; mov.u32 %r2, 0;
LOOP:
	mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2; ld.global.f32 %f1, [%rd3];
	fma.rn.f32 %f2, %f1, 0f40{0:06x}, %f1; st.global.f32 [%rd3], %f2;
	add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra LOOP;
	ret;
}}
"""


def scale(out):
    out.write("## Many kernels\n\n| kernels of one file | architectures | both sides |\n|---:|---:|---|\n")
    for count in (800, 1600):
        where, cubins = folder(f"s{count}"), b""
        for arch in ARCHS + ["86"]:
            with open(os.path.join(where, "k.ptx"), "w", encoding="utf-8") as f:
                f.write(f".version 8.7\n.target sm_{arch}\n.address_size 64\n" + "".join(map(ENTRY.format, range(count))))
            run("ptxas", "-arch", "sm_" + arch, "-o", "k.cubin", "k.ptx", cwd=where)
            with open(os.path.join(where, "k.cubin"), "rb") as f:
                cubins += f.read()
        path = os.path.join(where, "all.a")
        with open(path, "wb") as f:
            f.write(b"!<arch>\n" + cubins)
        out.write(f"| {count} | 5 | {run(COMPARE, '--time', path, path).strip()} |\n")
    out.write("\n")


# ---- toolkits ----

def toolkits(out):
    """For each ptxas of $PTXAS: PTX of this folder, as its version, beside cuobjdump."""
    out.write("## Toolkits\n\n| ptxas | target | kernels | registers equal | stack equal | shared equal | open |\n"
              "|---|---|---:|---:|---:|---:|---:|\n")
    texts = {a: [open(build(f"t_{n}_{a}", source(n + ".cu"), kind="-ptx", codes=[f"-arch=compute_{a}"]), encoding="utf-8").read()
                 for n in ("a", "b")] for a in ARCHS}
    for ptxas in filter(None, os.environ.get("PTXAS", "").split(":")):
        version = re.search(r"release (\d+\.\d+)", run(ptxas, "--version")).group(1)
        for arch in ARCHS:
            count = toolkit_row(ptxas, version, arch, texts[arch])
            if count:
                out.write(f"| {version} | sm_{arch} | {count['kernels']} | {count['REG']} | {count['STACK']} | {count['SHARED']} "
                          f"| {count['open']} |\n")
    out.write("\n")


def toolkit_row(ptxas, version, arch, texts):
    isa = {"12.4": "8.4", "12.5": "8.5", "12.6": "8.5", "12.8": "8.7", "12.9": "8.8"}.get(version)
    count = collections.Counter()
    for i, text in enumerate(texts):
        path = os.path.join(folder("toolkits"), f"{i}.ptx")
        with open(path, "w", encoding="utf-8") as f:
            f.write(re.sub(r"\.version .*", f".version {isa}", text) if isa else text)
        done = subprocess.run([ptxas, "-arch", "sm_" + arch, "-o", path + ".cubin", path], capture_output=True, text=True)
        if done.returncode:
            print(version, arch, done.stderr[:200])
            continue
        mine = {}
        for line in run(COMPARE, path + ".cubin").splitlines():
            fields = line.split("\t")
            mine[fields[2]] = dict(re.findall(r"(\w+):(\d+)", fields[3]))
            count["open"] += bool(fields[4])
        usage = run("cuobjdump", "-res-usage", path + ".cubin")
        for name, reg, stack, shared in re.findall(r"Function (\S+):\s+REG:(\d+) STACK:(\d+) SHARED:(\d+)", usage):
            if name not in mine:
                continue
            count["kernels"] += 1
            own = int(shared) - (1024 if int(arch) >= 90 and int(shared) >= 1024 else 0)
            for key, value in (("REG", reg), ("STACK", stack), ("SHARED", str(own))):
                count[key] += mine[name][key] == value
                if mine[name][key] != value:
                    FAILED.append(f"{version} sm_{arch} {name} {key}: {mine[name][key]}, cuobjdump {value}")
    return count


def main():
    if not shutil.which("nvcc"):
        print("no nvcc here")
        sys.exit(77)
    parts = sys.argv[3:] or ["harmless", "runtime", "mutations", "flips", "scale", "toolkits"]
    folder()
    with open(os.path.join(OUT, "changes.md"), "w", encoding="utf-8") as out:
        out.write("# What the reader of device code says about changes (tests/code/changes.py)\n\n")
        out.write(run("nvcc", "--version").strip().splitlines()[-1] + ", sm_" + ", sm_".join(ARCHS) + "\n\n")
        for part in parts:
            globals()[part](out)
            out.flush()
    for f in FAILED:
        print("FAILED:", f)
    sys.exit(bool(FAILED))


main()
