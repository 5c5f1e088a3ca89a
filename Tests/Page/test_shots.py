"""What a camera takes: photos, bursts, movies, and when."""

import re

from driver import sidecar
from studio import until


def now(page, name):
    return page.state(f"s.camera.{name}")


def files(folder, *suffixes):
    return sorted(path for path in folder.glob("**/*") if path.suffix in suffixes) if folder.exists() else []


def test_the_shutter_makes_a_photo(finder, taken):
    finder.press("f")
    finder.choose("Noir")
    finder.press("f")
    finder.look_away()
    finder.press("Space")
    (photo,) = until(lambda: files(taken, ".jpg"), "a photo is written")
    until(lambda: now(finder, "last") and now(finder, "saving") == 0, "the page knows it")
    assert sidecar(photo)["recipe"]["filters"], "with its look beside it"
    assert finder.state("s.camera.shot.latency") is not None, "how old the frame was that the press took"
    until(lambda: finder.state("s.welcome.photos.some(({ photo }) => photo === s.camera.last)"), "it is in the list")
    until(lambda: finder.tab.locator(".gallery.filled").count(), "it has landed")
    finder.tab.locator(".gallery").click()
    finder.opened(photo.name)
    assert finder.state("s.edit.look?.preset") == "noir"
    assert finder.state("s.mode") == "adjust"


def test_it_fires_when_it_is_pressed(finder, taken):
    box = finder.tab.locator(".shutter").bounding_box()
    assert (box["width"], box["height"]) == (76, 76)
    finder.tab.mouse.move(box["x"] + 38, box["y"] + 38)
    finder.tab.mouse.down()
    until(lambda: files(taken, ".jpg"), "a photo, before the button is let go")
    finder.tab.mouse.up()
    until(lambda: now(finder, "saving") == 0, "saved")
    assert len(files(taken, ".jpg")) == 1


def test_a_burst_while_held(finder, taken):
    finder.press("ArrowRight")
    until(lambda: now(finder, "mode") == "burst", "burst")
    finder.tab.keyboard.down("Space")
    until(lambda: (now(finder, "burst") or 0) >= 3, "three photos")
    finder.tab.keyboard.up("Space")
    until(lambda: now(finder, "burst") is None and now(finder, "saving") == 0, "it ends")
    assert len(files(taken, ".jpg")) >= 3


def test_the_timer_counts_and_is_cancelled(finder, taken):
    until(lambda: finder.press("ArrowRight") or now(finder, "mode") == "timer", "timer")
    pill, chosen = finder.tab.locator(".mode-pill").bounding_box(), finder.tab.locator(".mode[aria-checked=true]")
    middle = lambda box: box["x"] + box["width"] / 2
    until(lambda: abs(middle(chosen.bounding_box()) - middle(pill)) < 2, "the chosen mode is in the middle")
    finder.press("Space")
    until(lambda: now(finder, "countdown") == 2, "two seconds")
    finder.press("Space")
    assert now(finder, "countdown") is None
    finder.press("Space")
    until(lambda: files(taken, ".jpg"), "a photo after three seconds", 20)
    assert len(files(taken, ".jpg")) == 1


def test_recording_makes_a_movie(finder, taken):
    finder.press("ArrowLeft")
    until(lambda: now(finder, "mode") == "video", "video")
    finder.press("Space")
    until(lambda: (now(finder, "recording") or {}).get("seconds", 0) > 1, "a second is recorded")
    assert re.fullmatch(r"\d:\d\d", finder.tab.locator(".rec-time").inner_text())
    assert finder.tab.locator(".meter").count() > 0
    assert finder.tab.locator(".shutter").get_attribute("aria-label") == "Stop recording"
    finder.press("Space")
    until(lambda: now(finder, "recording") is None, "it has ended")
    (movie,) = files(taken, ".mp4")
    assert movie.stat().st_size > 10_000
