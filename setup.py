"""The part of the packaging that must be code: the C++ extension."""

from __future__ import annotations

import gzip
import os
import sys
import sysconfig
import tarfile
from concurrent.futures import ThreadPoolExecutor
from glob import glob
from hashlib import sha256
from pathlib import Path
from subprocess import run

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

sys.path.insert(0, "csrc")
sys.dont_write_bytecode = True  # csrc/ holds only sources
from wasm import SOURCE, digest, with_included

# The search for the other instruction set, for processors from before 2013 (AMD: before 2020). With
# these flags it takes 4% more instructions than with -O3 (-O1 alone 29%, -O2 11%), and less than
# half the time to compile. If the fast path is not compiled, this one is the search.
PLAIN = [
    "-O1",
    "-finline-functions",
    "-finline-small-functions",
    "-fpeel-loops",
    "-ftree-vectorize",
]
# -O2 with the inlining of -O3 takes 0.99 times as long as -O3, and 0.95 times as long as the flags
# above with the same inlining, with as many instructions.
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
# Clang's search takes 1.14 times as long as gcc's unless it inlines more and keeps conditional
# moves instead of hard-to-predict branches; then it takes 0.94 times as long.
CLANG = ["-mllvm", "-inline-threshold=2000"]
CLANG_X86 = [*CLANG, "-mllvm", "-x86-cmov-converter=0"]


# SPADILLE_CHECKED=1 builds the engine with asserts; SPADILLE_CHECKED=address,undefined also adds
# these sanitizers.
CHECKED = os.environ.get("SPADILLE_CHECKED", "")
SANITIZE = (
    [f"-fsanitize={CHECKED}", "-fno-sanitize-recover=all"] if CHECKED not in ("", "1") else []
)
# Debugging information, which nobody uses, would take a quarter of the time. Checked builds have
# only the lines for stack traces; everything else would take 1.4 times as long.
FLAGS = ["-O1", "-g1", "-UNDEBUG", *SANITIZE] if CHECKED else ["-O3", "-g0", "-DNDEBUG"]

# SPADILLE_ABI3=1 builds one engine for every Python from 3.11 on, as in the wheels; free-threaded
# builds have no stable ABI.
ABI3 = os.environ.get("SPADILLE_ABI3") == "1" and not sysconfig.get_config_var("Py_GIL_DISABLED")
LIMITED = [("Py_LIMITED_API", "0x030B0000")] if ABI3 else []


class BuildExt(build_ext):
    """Add the flags for the compiler found, and compile on all cores.

    An object of an earlier build is used again if its sources and its flags are the same. Without
    this, every `pip install` compiles the search again, because each has a Cython of its own that
    is newer than the objects.
    """

    def initialize_options(self) -> None:
        super().initialize_options()
        self.cython_c_in_temp = 1  # the generated C++ goes to the other build products

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

    def _version(self) -> str:
        """Return the text in which the compiler names itself and its version."""
        command = [*self.compiler.compiler_cxx, "--version"]
        return run(command, capture_output=True, text=True).stdout

    def _compile(
        self, sources: list[str], *, output_dir: str, extra_postargs: list[str], **how: object
    ) -> list[str]:
        version = self._version()
        gcc = "Free Software Foundation" in version  # clang also runs under the name gcc
        x86 = sysconfig.get_platform().endswith("x86_64")
        # If no fast search is compiled, the plain one takes its place.
        best = FAST if gcc else CLANG_X86 if x86 else CLANG
        flags = {
            "search_fast.cpp": best,
            "search_plain.cpp": (PLAIN if gcc else []) if x86 else best,
            # Python calls this code; clang's C++ library needs the functions it has inlined.
            "engine.cpp": ["-O1"],
            "goal_automaton.cpp": ["-O2"],
            # Fused operations round differently, and would change the odds it tries.
            "plans.cpp": ["-O2", "-ffp-contract=off"],
            "strength.cpp": ["-O3"],  # its loops become vector instructions
        }
        # Code outside the hot path is one unit; otherwise half of it would be headers, eight times.
        own = [source for source in sources if Path(source).name in flags]
        rest = Path(output_dir, "rest.cpp")
        rest.parent.mkdir(parents=True, exist_ok=True)
        names = [Path(source).name for source in sources if source not in own]
        # What Cython writes is compiled every time, because it also includes headers of Python.
        units = {source: [Path(source).name] for source in own if source.startswith("csrc")}
        units[str(rest)] = names
        rest.write_text("".join(f'#include "{name}"\n' for name in names))

        def compiled(source: str) -> str:
            flags_of_its_own = [] if CHECKED else flags.get(Path(source).name, ["-O1"])
            options = [*extra_postargs, *flags_of_its_own]
            [target] = self.compiler.object_filenames([source], output_dir=output_dir)
            key = Path(f"{target}.key")
            command = [version, self.compiler.compiler_so_cxx, how["macros"], options]
            digest = _digest(command, units.get(source, []))
            known = key.is_file() and Path(target).is_file() and key.read_text() == digest
            if self.force or source not in units or not known:
                key.unlink(missing_ok=True)
                self._compile_one([source], output_dir=output_dir, extra_postargs=options, **how)
                key.write_text(digest)
            return target

        # Compile the two slow units first.
        ordered = sorted([*own, str(rest)], key=lambda source: "search_" not in source)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return [*pool.map(compiled, ordered)]


def _digest(command: list[object], names: list[str]) -> str:
    """Return a digest of a command and of sources in csrc with all that they include."""
    found = sha256(repr(command).encode())
    for name in with_included(names):
        found.update(Path("csrc", name).read_bytes())
    return found.hexdigest()


class Sdist(sdist):
    """Build identical archives from identical files, whatever their owner and location."""

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
            archive.add(base_dir, filter=plain)  # sorted by name
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
