"""What is too large, too far away, not to be read, or asleep."""

import os
import socket

import photos
import pytest
from studio import safelight, until


def exchange(studio, head, body=b""):
    """Sends bytes to the server as they are, and returns what it answers."""
    with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
        connection.sendall(head.encode() + body)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        return answer.decode(errors="replace")


def memory(process):
    """Megabytes of the program that are in memory."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def test_the_widest_photo(start, browse, scene, tmp_path):
    photo = tmp_path / "widest.jpg"
    safelight("edit", scene, "-o", tmp_path / "strip.png", "--crop", "0,600,1900,4")
    safelight("edit", tmp_path / "strip.png", "-o", photo, "--resize", "65500", "--quality", 60)
    page = browse(start(photo))
    assert page.state("[s.info.width, s.info.height]") == [65500, 138]
    page.press("z")
    until(lambda: page.state("s.view.scale") == 1, "its pixels are shown")
    page.settled()
    page.drag("exposure", 0.2)
    page.settled()


def test_links_that_lead_elsewhere(start, browse, scene, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    photos.write_shoot(folder, scene, 2)
    # What a link leads to is no picture: nothing of it is shown.
    (folder / "a-link.jpg").symlink_to("/etc/passwd")
    (folder / "broken.jpg").symlink_to("/nowhere")
    page = browse(start(folder), opens=False)
    page.shows("a-link.jpg: it looks like text")
    assert "root:" not in page.tab.content()
    page.press("ArrowRight")
    page.shows("broken.jpg: there is no such file")
    page.press("ArrowRight")
    page.opened("photo-001.jpg")


def test_a_photo_that_leaves_the_folder_is_only_looked_at(start, browse, shoot, tmp_path):
    page = browse(start(shoot)).opened("photo-001.jpg")
    (shoot / "photo-001.jpg").rename(tmp_path / "away.jpg")
    page.shows("photo-001.jpg is no longer in the folder.")
    page.slider("exposure").locator("input").focus()
    page.press("ArrowRight")
    assert page.values == {} and not list(shoot.glob("*.json"))
    # It is back.
    (tmp_path / "away.jpg").rename(shoot / "photo-001.jpg")
    until(lambda: not page.state("s.isGone"), "the photo is there again")
    page.drag("exposure", 0.2)
    page.steps(undo=1)
    page.look_away()
    page.press("ArrowRight")
    page.opened("photo-002.jpg")


def test_nothing_of_another_photo_stands_beside_one_that_cannot_be_read(start, browse, shoot):
    whole = (shoot / "photo-002.jpg").read_bytes()
    (shoot / "photo-002.jpg").write_bytes(whole[:400])
    page = browse(start(shoot), calm=False).opened("photo-001.jpg")
    page.drag("exposure", 0.2)
    page.steps(undo=1)
    page.look_away()
    page.press("ArrowRight")
    until(lambda: page.state("s.problem !== null"), "the page says that it cannot be read")
    page.edited({})
    assert page.button("Undo").is_disabled() and page.button("Export").is_disabled()
    until(lambda: page.tab.locator(".look-thumb img.there").count() == 0, "no look of the photo before is shown")
    page.press("ArrowLeft")
    page.opened("photo-001.jpg")
    until(lambda: "exposure" in page.values, "its own edit is there again")


def test_addresses_that_lead_elsewhere(studio):
    token = studio.address.split("token=")[1]
    for path in [
        "/studio/../../etc/passwd", "/studio/..%2f..%2fetc%2fpasswd", "/studio/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
        "/api/v1/photos/..%2f..%2fetc%2fpasswd/picture", "/api/v1/photos//etc/passwd", "//etc/passwd",
    ]:
        answer = exchange(
            studio, f"GET {path} HTTP/1.1\r\nHost: localhost:{studio.port}\r\nAuthorization: Bearer {token}\r\n"
            "Connection: close\r\n\r\n")
        assert answer.split()[1] in ("400", "404"), (path, answer[:100])
        assert "root:" not in answer


def test_an_upload_of_200_megabytes(studio):
    token = studio.address.split("token=")[1]
    before = memory(studio.process)
    head = (
        f"PUT /api/v1/presets/large HTTP/1.1\r\nHost: localhost:{studio.port}\r\nAuthorization: Bearer {token}\r\n"
        "Content-Type: text/plain\r\n")
    assert exchange(studio, head + "Content-Length: 209715200\r\n\r\n").split()[1] == "413"
    # Without a length, it is refused on the way.
    chunk = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
    try:
        answer = exchange(studio, head + "Transfer-Encoding: chunked\r\n\r\n", 200 * chunk)
        assert answer.split()[1] == "413"
    except (BrokenPipeError, ConnectionResetError):
        # Closed while it was being sent, which loses the answer.
        pass
    assert memory(studio.process) < before + 80


@pytest.mark.skipif(os.cpu_count() < 2, reason="needs a processor for the tab that is asleep")
def test_ten_tabs_of_which_one_is_asleep(browse, studio):
    asleep = browse(studio)
    others = [browse(studio, size=(700, 500)) for _ in range(9)]
    # It answers nothing for some seconds.
    asleep.ask("() => { setTimeout(() => { const end = Date.now() + 6000; while (Date.now() < end); }, 0); }")
    for page in others[:2]:
        page.drag("exposure", 0.1)
        page.settled()
    wanted = others[1].values
    for page in others:
        until(lambda: page.values == wanted, "the change is seen")
        page.settled()
    # The one that slept has the newest edit, and no older one on the way there.
    until(lambda: asleep.values == wanted, "the tab that slept has the newest edit")
    asleep.settled()
