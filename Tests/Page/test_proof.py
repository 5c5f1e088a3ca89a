"""The photo as a printer would reproduce it: what the page shows is what the command writes with the same profile."""

import icc
import pytest
from studio import until

# Mean difference of 255 that JPEG makes of the landscape.
CLOSE = 1.5


@pytest.fixture
def profile(tmp_path):
    path = tmp_path / "newsprint.icc"
    path.write_bytes(icc.display("Newsprint", (0.36, 0.33), (0.315, 0.36), (0.29, 0.29)))
    return path


@pytest.fixture
def proofed(start, browse, photo, profile):
    return browse(start(photo, 0, "--proof", profile))


def test_the_page_begins_with_the_proof_and_says_so(proofed, judge, photo, profile):
    label = proofed.tab.locator(".proof-label")
    until(lambda: "Newsprint" in label.inner_text(), "the label names the device")
    proofed.settled()
    assert judge.difference(proofed, photo, "--proof", profile) < CLOSE
    assert judge.difference(proofed, photo) > CLOSE, "the proof changed nothing"


def test_keys_show_the_photo_and_mark_what_the_print_lacks(proofed, judge, photo, profile):
    proofed.settled()
    proofed.tab.keyboard.press("Shift+Y")
    until(lambda: proofed.state("s.proof.marksGamut"), "colours are marked")
    proofed.settled()
    assert judge.difference(proofed, photo, "--proof", profile, "--gamut-warning") < CLOSE
    proofed.tab.keyboard.press("y")
    until(lambda: not proofed.state("s.proof.shown"), "the photo is shown")
    proofed.settled()
    assert judge.difference(proofed, photo) < CLOSE
    assert proofed.tab.locator(".proof-label").is_hidden()


def test_a_studio_without_a_profile_has_no_such_button(page):
    page.settled()
    assert page.tab.get_by_role("button", name="Proof").count() == 0 or page.tab.get_by_role(
        "button", name="Proof").is_hidden()
    page.tab.keyboard.press("y")
    assert not page.state("s.proof.shown")
