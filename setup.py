"""The one part of the packaging that must be code: the C++ extension."""

from __future__ import annotations

from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class BuildExt(build_ext):
    """Adds the flags of the compiler that was found, which is known only now."""

    def build_extensions(self) -> None:
        msvc = self.compiler.compiler_type == "msvc"
        flags = ["/std:c++17", "/O2"] if msvc else ["-std=c++17", "-O3"]
        for extension in self.extensions:
            extension.extra_compile_args = flags
        super().build_extensions()


engine = Extension(
    "spadille.search.engine",
    sources=["solver/spadille/search/engine.pyx", *sorted(glob("csrc/*.cpp"))],
    depends=sorted(glob("csrc/*.hpp")),
    include_dirs=["csrc"],
    language="c++",
)

setup(
    # The generated C++ goes where the other build products are.
    ext_modules=cythonize([engine], build_dir="build/cython", language_level=3),
    cmdclass={"build_ext": BuildExt},
)
