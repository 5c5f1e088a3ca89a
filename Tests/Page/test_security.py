"""Through the browser's eyes: who is let in, and where requests go."""

from studio import until


def test_nothing_leaves_the_origin(page, studio):
    page.drag("exposure", 0.2)
    page.choose("Noir")
    page.press("s")
    page.crop()
    page.press("Escape", "?", "Escape", "Control+e", "Escape")
    page.settled()
    socket = studio.origin.replace("http", "ws", 1)
    own = (studio.origin + "/", socket + "/", "blob:" + studio.origin)
    others = [url for url in page.requests if not url.startswith(own)]
    assert others == []
    assert len([url for url in page.requests if url.startswith(socket)]) == 1
    # The secret is sent in no address, and does not stay in the bar.
    token = studio.address.split("token=")[1]
    assert not [url for url in page.requests if token in url]
    assert page.tab.url == studio.origin + "/"


def test_without_the_token(browse, studio):
    page = browse(studio, opens=False, address=studio.origin + "/")
    page.shows("This page needs the address that safelight studio printed")
    assert page.state("s.welcome") is None
    assert not [url for url in page.requests if url.startswith("ws:")]
    # A text without a token is said to have none; then the whole address.
    page.enter("http://localhost/")
    page.shows("There is no token in this address")
    page.enter(studio.address)
    page.opened()


def test_with_a_wrong_token(browse, studio):
    page = browse(studio, opens=False, address=studio.origin + "/#token=" + 43 * "A", calm=False)
    page.shows("This address is from another run")
    # The browser tells of the first picture, which it was refused.
    assert all("401" in text for text in page.complaints), page.complaints
    assert page.state("s.welcome") is None and page.state("s.photo") is None
    # It is not tried for ever.
    tries = len(page.requests)
    page.enter(studio.address)
    page.opened()
    assert len([url for url in page.requests[tries:] if url.startswith("ws:")]) == 1


def test_another_tab_has_no_token(browse, studio):
    browse(studio)
    page = browse(studio, opens=False, address=studio.origin + "/")
    page.shows("This page needs the address that safelight studio printed")


def test_the_policy_holds(page):
    """What a script that got in would try first."""
    found = page.ask(
        """async () => {
          const script = document.createElement('script');
          script.textContent = 'window.ran = true';
          document.head.append(script);
          const image = new Image();
          image.src = 'https://example.com/secret.png';
          const sent = await fetch('https://example.com/').then(() => true, () => false);
          return [window.ran ?? false, sent];
        }""")
    assert found == [False, False]
    until(
        lambda: all(part in " ".join(page.complaints) for part in ["script-src", "img-src", "connect-src"]),
        "each was refused")
    page.complaints.clear()


def test_others_cannot_frame_it(chromium, studio):
    page = chromium.new_page()
    page.set_content(f'<iframe src="{studio.origin}/"></iframe>')
    frame = until(lambda: page.frames[1:] and page.frames[1], "the frame exists")
    frame.wait_for_load_state()
    assert not frame.url.startswith(studio.origin) or frame.locator("script").count() == 0
    page.close()
