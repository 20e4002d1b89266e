"""Take the screenshots for README and docs; look at them before committing them.

python -m tests.support.screenshots
"""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

import spadille

TOP = Path(__file__).parents[2]
PICTURES = TOP / "docs" / "pictures"
SIZES = {"desktop": (1280, 720), "front": (1280, 720), "phone": (360, 740)}


class Shot(NamedTuple):
    """A deal in a file at a point in its play, and the size and colors of the picture."""

    file: str
    deal: int
    at: int
    scheme: str
    size: str


SHOTS = (
    Shot("evenings/ombre", 0, 10, "light", "front"),
    Shot("evenings/ombre", 0, 10, "light", "desktop"),
    Shot("evenings/ombre", 0, 10, "dark", "phone"),
    Shot("german-solo", 0, 3, "dark", "desktop"),
    Shot("german-solo", 0, 3, "light", "phone"),
    Shot("solo-whist", 2, 2, "light", "desktop"),
    Shot("solo-whist", 2, 2, "dark", "phone"),
    Shot("squint", 7, 12, "dark", "desktop"),
    Shot("squint", 7, 12, "light", "phone"),
)


def take(folder: Path) -> None:
    """Write all screenshots with few colors, because most of each is plain."""
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for shot in SHOTS:
            entry = spadille.load(TOP / "examples" / f"{shot.file}.pbn")[shot.deal]
            file = folder / "page.html"
            file.write_text(spadille.page([entry]), encoding="utf-8")
            width, height = SIZES[shot.size]
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=shot.scheme,  # type: ignore[arg-type]
            )
            page = context.new_page()
            page.goto(f"{file.as_uri()}#deal=1&at={shot.at}")
            page.locator(".playing .worth").first.wait_for()
            page.evaluate(
                "() => { document.querySelector('.deals').remove();"
                "document.documentElement.style.scrollPaddingTop = '0.5rem';"
                "document.querySelector('.playing').scrollIntoView({ behavior: 'instant' }); }"
            )
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            name = f"{Path(shot.file).name}-{shot.scheme}-{shot.size}.png"
            picture.quantize(128, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    ArgumentParser(description=__doc__).parse_args()
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        take(Path(folder))
