"""The one part of the packaging that must be code: the C++ extension."""

from __future__ import annotations

import gzip
import os
import sys
import sysconfig
import tarfile
from concurrent.futures import ThreadPoolExecutor
from glob import glob
from pathlib import Path
from subprocess import run

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

sys.path.insert(0, "csrc")
sys.dont_write_bytecode = True  # csrc/ holds sources only
from wasm import SOURCE, digest

# The search of the other instruction set, for processors of before 2013 and AMD's of before 2020:
# it takes 4 % more instructions so than with -O3 (-O1 alone 29 %, -O2 11 %), and less than half of
# the time to compile. Where no fast path is compiled the plain one is the search.
PLAIN = [
    "-O1",
    "-finline-functions",
    "-finline-small-functions",
    "-fpeel-loops",
    "-ftree-vectorize",
]
# -O2 with the inlining of -O3 takes 0.99 of the time of all of -O3, and 0.95 of that of the flags
# above with the same inlining, in as many instructions.
FAST = [
    "-O2",
    "-finline-functions",
    "-fpeel-loops",
    "--param=max-inline-insns-auto=30",
    "--param=max-inline-insns-single=200",
    "--param=early-inlining-insns=14",
    "--param=inline-min-speedup=15",
    "-fipa-cp-clone",
    "-funswitch-loops",
    "-fvisibility=hidden",
]
# Clang's search takes 1.14 of the time of gcc's unless it inlines more, and makes no branches,
# hard to foretell, of moves that have a condition: then 0.94.
CLANG = ["-mllvm", "-inline-threshold=2000"]
CLANG_X86 = [*CLANG, "-mllvm", "-x86-cmov-converter=0"]


# SPADILLE_CHECKED=1 is the engine with its asserts on; SPADILLE_CHECKED=address,undefined also with
# these sanitizers.
CHECKED = os.environ.get("SPADILLE_CHECKED", "")
SANITIZE = (
    [f"-fsanitize={CHECKED}", "-fno-sanitize-recover=all"] if CHECKED not in ("", "1") else []
)
# Debugging information, which nobody loads, takes a quarter of the time.
FLAGS = ["-O1", "-g", "-UNDEBUG", *SANITIZE] if CHECKED else ["-O3", "-g0", "-DNDEBUG"]

# SPADILLE_ABI3=1 is one engine for every Python from 3.11 on, as the wheels have it; free-threaded
# ones have no such thing.
ABI3 = os.environ.get("SPADILLE_ABI3") == "1" and not sysconfig.get_config_var("Py_GIL_DISABLED")
LIMITED = [("Py_LIMITED_API", "0x030B0000")] if ABI3 else []


class BuildExt(build_ext):
    """Adds the flags of the compiler that was found, and compiles on all cores."""

    def initialize_options(self) -> None:
        super().initialize_options()
        self.cython_c_in_temp = 1  # the generated C++ goes where the other build products are

    def build_extensions(self) -> None:
        if self.compiler.compiler_type == "msvc":
            for extension in self.extensions:
                extension.extra_compile_args = ["/std:c++20", "/O2", "/DNDEBUG"]
        else:
            for extension in self.extensions:
                extension.extra_compile_args = ["-std=c++20", "-pthread", *FLAGS]
                extension.extra_link_args = ["-pthread", *SANITIZE]
            self._compile_one, self.compiler.compile = self.compiler.compile, self._compile
        super().build_extensions()

    def _is_gcc(self) -> bool:
        """Whether it knows the flags; clang goes by the name of gcc, too."""
        told = run([*self.compiler.compiler_cxx, "--version"], capture_output=True, text=True)
        return "Free Software Foundation" in told.stdout

    def _compile(
        self, sources: list[str], *, output_dir: str, extra_postargs: list[str], **how: object
    ) -> list[str]:
        gcc = self._is_gcc()
        x86 = sysconfig.get_platform().endswith("x86_64")
        # Where no fast search is compiled the plain one has its place.
        best = FAST if gcc else CLANG_X86 if x86 else CLANG
        flags = {
            "search_fast.cpp": best,
            "search_plain.cpp": (PLAIN if gcc else []) if x86 else best,
            # Calls from Python; the C++ library of clang wants what it has inlined.
            "engine.cpp": ["-O0" if gcc else "-O1"],
            "automaton.cpp": ["-O2"],
            "plans.cpp": ["-O2"],
        }
        # What no search spends its time in is one unit: half of it would be headers, eight times.
        own = [source for source in sources if Path(source).name in flags]
        rest = Path(output_dir, "rest.cpp")
        rest.parent.mkdir(parents=True, exist_ok=True)
        names = [Path(source).name for source in sources if source not in own]
        rest.write_text("".join(f'#include "{name}"\n' for name in names))

        def compiled(source: str) -> list[str]:
            flags_of_its_own = [] if CHECKED else flags.get(Path(source).name, ["-O1"])
            found: list[str] = self._compile_one(
                [source],
                output_dir=output_dir,
                extra_postargs=[*extra_postargs, *flags_of_its_own],
                **how,
            )
            return found

        # The two that take long first.
        ordered = sorted([*own, str(rest)], key=lambda source: "search_" not in source)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return [target for targets in pool.map(compiled, ordered) for target in targets]


class Sdist(sdist):
    """Makes equal archives of equal files, whosever they are and wherever they lie."""

    def make_archive(self, base_name: str, format: str, *, base_dir: str, **other: object) -> str:
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        if format != "gztar" or not epoch:
            return super().make_archive(base_name, format, base_dir=base_dir, **other)

        def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.mtime = int(epoch)
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            return member

        target = f"{base_name}.tar.gz"
        with (
            open(target, "wb") as file,
            gzip.GzipFile("", "wb", mtime=0, fileobj=file) as packed,
            tarfile.open(target, "w", fileobj=packed, format=tarfile.PAX_FORMAT) as archive,
        ):
            archive.add(base_dir, filter=plain)  # in order of names
        return target


setup(
    ext_modules=[
        Extension(
            "spadille.search.engine",
            sources=[
                "solver/spadille/search/engine.pyx",
                *sorted({*glob("csrc/*.cpp")} - {f"csrc/{SOURCE}"}),
            ],
            depends=sorted(glob("csrc/*.hpp")),
            include_dirs=["csrc"],
            define_macros=[("SPADILLE_SOURCES", digest()), *LIMITED],
            py_limited_api=ABI3,
            language="c++",
        )
    ],
    cmdclass={"build_ext": BuildExt, "sdist": Sdist},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
)
