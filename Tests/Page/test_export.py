"""Export: the file, its seal, and the command that makes the same bytes."""

import ctypes
import ctypes.util
import pathlib
import shlex
import shutil

import pytest
from studio import PROGRAM, safelight, until


def hash_of(path):
    """XXH3 with 128 bits by its own library; None where that is not installed."""
    name = ctypes.util.find_library("xxhash")
    if not name:
        return None

    class Hash(ctypes.Structure):
        _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]

    library = ctypes.CDLL(name)
    library.XXH3_128bits.restype = Hash
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    data = pathlib.Path(path).read_bytes()
    found = library.XXH3_128bits(data, len(data))
    return f"{found.high:016x}{found.low:016x}"


def export(page, **options):
    """Exports with what the sheet offers and returns its row: file name, seal, command."""
    page.press("Control+e")
    sheet = page.tab.get_by_role("dialog", name="Export")
    sheet.wait_for()
    for label, value in options.items():
        sheet.get_by_label(label, exact=True).select_option(value)
    done = sheet.locator(".seal")
    before = done.count()
    sheet.get_by_role("button", name="Export", exact=True).click()
    until(lambda: done.count() == before + 1, "the file is written")
    row = sheet.locator(".result").first
    found = (
        row.locator("b").inner_text(), row.locator(".seal").inner_text().strip(), row.locator(".code").inner_text())
    page.press("Escape")
    sheet.wait_for(state="hidden")
    return found


def run_elsewhere(command, written, folder):
    """Runs a command that the page shows, for a file in another folder, and returns that file."""
    words = shlex.split(command)
    assert words[0] == "safelight"
    target = folder / written.name
    words = [str(target) if word == str(written) else word for word in words[1:]]
    assert str(target) in words, command
    safelight(*words)
    return target


@pytest.mark.parametrize(
    "options", [{}, {"Format": "png", "Size": "1080"}, {"Format": "webp", "Colour": "srgb", "Metadata": "strip"}])
def test_same_bytes_as_the_command(page, photo, tmp_path, options):
    page.drag("exposure", 0.2)
    page.choose("Teal & Orange")
    page.steps(undo=2)
    name, seal, command = export(page, **options)
    written = photo.parent / "edited" / name
    assert written.is_file()
    again = run_elsewhere(command, written, tmp_path)
    assert again.read_bytes() == written.read_bytes()
    assert seal == (hash_of(written) or seal) and len(seal) == 32


def test_no_file_is_replaced(page, photo):
    kept = photo.parent / "edited" / "harbour.jpg"
    kept.parent.mkdir()
    kept.write_text("mine")
    first = export(page)[0]
    second = export(page)[0]
    assert len({first, second, "harbour.jpg"}) == 3
    assert kept.read_text() == "mine"
    assert sorted(one.name for one in kept.parent.iterdir()) == sorted([first, second, "harbour.jpg"])


def test_estimate_and_quality(page):
    page.press("Control+e")
    sheet = page.tab.get_by_role("dialog", name="Export")
    estimate = sheet.locator(".estimate:not(.old)")
    until(lambda: "1920 × 1280" in (estimate.inner_text() if estimate.count() else ""), "the size is told")
    first = estimate.inner_text()
    sheet.get_by_role("slider", name="Quality").focus()
    page.press("Home")
    until(lambda: estimate.count() and estimate.inner_text() != first, "another quality is another size")
    # PNG has no quality.
    sheet.get_by_label("Format", exact=True).select_option("png")
    assert sheet.get_by_role("slider", name="Quality").is_disabled()


def test_folder_that_cannot_be_written(page, photo):
    (photo.parent / "edited").write_text("a file where the folder would be")
    page.press("Control+e")
    sheet = page.tab.get_by_role("dialog", name="Export")
    sheet.get_by_role("button", name="Export", exact=True).click()
    sheet.locator(".result.failed").wait_for()
    assert sheet.locator(".result.failed .result-line").inner_text()


def test_the_command_of_the_menu(page, photo, judge):
    page.drag("contrast", 0.3)
    page.steps(undo=1)
    words = shlex.split(page.state("s.command"))
    assert words[:2] == ["safelight", "edit"] and str(photo) in words
    assert shutil.which(PROGRAM)
    page.settled()
    flags = [word for word in words[2:] if word != str(photo)]
    flags = flags[:flags.index("-o")] + flags[flags.index("-o") + 2:] if "-o" in flags else flags
    assert judge.difference(page, photo, *flags) < 3


def test_enter_exports(page, photo):
    page.press("Control+e")
    page.tab.get_by_role("dialog", name="Export").wait_for()
    page.press("Enter")
    until(lambda: page.tab.locator(".seal").count() == 1, "the file is written")
    assert (pathlib.Path(photo).parent / "edited" / "harbour.jpg").exists()


def test_keys_are_the_pages_again_as_soon_as_a_sheet_is_closed(page):
    """Both keys in one task, before the next picture of the screen: the browser takes the focus away only then."""
    page.press("Control+e")
    page.tab.get_by_role("dialog", name="Export").wait_for()
    shown = page.ask(
        """() => {
          const press = (key, more) => document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
          document.querySelector("dialog.export [type=submit]").focus();
          const { state } = safelightStudio.store;
          press("Escape");
          const closed = safelightStudio.store.state.sheet;
          press("e", { ctrlKey: true });
          return [state.sheet, closed, safelightStudio.store.state.sheet];
        }""")
    assert shown == ["export", None, "export"]
