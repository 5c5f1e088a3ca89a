import os
import shutil

import photos
import pytest
from driver import Page
from pixels import Judge
from playwright.sync_api import sync_playwright
from studio import Studio, safelight

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]

if os.environ.get("PAGE"):
    # A worker whose file comes from the tests has no address: the browser would refuse it this machine.
    FLAGS.append("--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Settings, such as looks of one's own, in a folder of the test."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "safelight" / "presets"


def launched(browser_type, *flags):
    """Starts the browser that is installed, not one of Playwright's own."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    return browser_type.launch(executable_path=path, args=[*FLAGS, *flags])


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def scene(tmp_path_factory):
    """A photo of a generated, tilted landscape, 1920 × 1280; copied before it is edited."""
    return photos.make_scene(tmp_path_factory.mktemp("scene"))


@pytest.fixture(scope="session")
def judge(chromium, tmp_path_factory):
    return Judge(chromium, tmp_path_factory.mktemp("wanted"))


@pytest.fixture
def photo(scene, tmp_path):
    """A copy of the landscape in a folder of its own."""
    folder = tmp_path / "photos"
    folder.mkdir()
    return shutil.copy(scene, folder / "harbour.jpg")


@pytest.fixture
def shoot(tmp_path, scene):
    """A folder of twelve photos."""
    folder = tmp_path / "shoot"
    folder.mkdir()
    photos.write_shoot(folder, scene, 12)
    return folder


@pytest.fixture
def start():
    """Starts studios, which end with the test: `start(photos, port=0, *options)`."""
    running = []

    def run(photos, port=0, *options):
        running.append(Studio(photos, port, *options))
        return running[-1]

    yield run
    for one in running:
        one.stop()


@pytest.fixture
def browse(chromium):
    """Opens pages, in one browser profile: `browse(studio)`. They must not complain, unless that is expected."""
    contexts = {}
    pages = []

    def open_page(studio, size=(1440, 900), ratio=1, opens=True, address=None, calm=True, **options):
        key = (size, ratio, tuple(sorted(options.items())))
        if key not in contexts:
            contexts[key] = chromium.new_context(
                viewport={"width": size[0], "height": size[1]}, device_scale_factor=ratio, **options)
        page = Page(contexts[key], address or studio.address, opens)
        pages.append((page, calm))
        return page

    yield open_page
    complaints = [text for page, calm in pages if calm for text in page.complaints]
    for context in contexts.values():
        context.close()
    assert not complaints, complaints


@pytest.fixture
def studio(start, photo):
    return start(photo)


@pytest.fixture
def page(browse, studio):
    """The landscape, open in a window of 1440 × 900."""
    return browse(studio)


# A camera


@pytest.fixture
def taken(tmp_path):
    """Where photos and movies go: made with the first one."""
    return tmp_path / "taken"


@pytest.fixture
def camera(start, taken):
    if "synthetic" not in safelight("studio", "--help"):
        pytest.skip("this program's studio has no camera")
    return start("synthetic", 0, "--output", taken)


@pytest.fixture
def finder(browse, camera):
    """The viewfinder in a window of 1440 × 900."""
    return browse(camera, opens=False).live()
