"""For keyboards and screen readers: axe's rules, an order of Tab that reaches everything, names."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from studio import until

SIZES = {"desk": (1440, 900), "phone": (360, 800)}


def check(page):
    # What fades in has not its own colours yet.
    until(
        lambda: page.ask(
            "() => document.getAnimations().every((one) => one.effect.getComputedTiming().iterations === Infinity)"),
        "nothing moves")
    found = Axe().run(page.tab).response["violations"]
    assert not found, [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize("size", SIZES)
def test_axe(browse, studio, size):
    page = browse(studio, size=SIZES[size], reduced_motion="reduce")
    check(page)
    if size == "phone":
        for tab in ["Looks", "Adjust"]:
            page.tab.get_by_role("tab", name=tab).click()
            page.settled()
            check(page)
    page.press("s")
    page.tab.locator(".scopes").wait_for()
    check(page)
    page.press("s")
    page.crop()
    check(page)
    page.press("Escape")
    for key, name in [("Control+e", "Export"), ("?", "Keys")]:
        page.press(key)
        page.tab.get_by_role("dialog", name=name).wait_for()
        check(page)
        page.press("Escape")
        page.tab.get_by_role("dialog", name=name).wait_for(state="hidden")


def unfold(page):
    """Opens all tools of the adjust panel."""
    for title in page.tab.locator("#adjust-panel .tool-title").all():
        title.click()
    page.tab.get_by_role("button", name="More of Black and white").first.click()


@pytest.mark.parametrize("size", SIZES)
def test_axe_of_tools(browse, studio, size):
    page = browse(studio, size=SIZES[size], reduced_motion="reduce")
    unfold(page)
    # With values to show, and marks of change.
    for name in ["RGB, point 1 of 2", "Shadows tint", "Blue hue"]:
        page.tab.locator("#adjust-panel").get_by_role("slider", name=name).focus()
        page.press("Shift+ArrowUp")
    page.settled()
    check(page)


@pytest.mark.parametrize("size", SIZES)
def test_axe_without_a_picture(browse, studio, size):
    page = browse(studio, size=SIZES[size], opens=False, address=studio.origin + "/")
    page.shows("This page needs the address")
    check(page)


# What Tab should reach: all that can be used, but of a group only the one that is chosen.
REACHABLE = """() => [...document.querySelectorAll('button, input, select, summary, [tabindex]')].filter((one) =>
  one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }) && !one.closest('dialog:not([open])'))"""


def tabbed(page):
    """Presses Tab all the way round; returns how many elements got the focus and those that did not."""
    page.ask(
        f"""() => {{
          document.activeElement?.blur();
          const all = new Set(({REACHABLE})());
          window.missed = all;
          document.addEventListener('focusin', (event) => all.delete(event.target));
        }}""")
    count = page.ask("() => window.missed.size")
    for _ in range(count + 20):
        page.press("Tab")
        if page.ask("() => window.missed.size") == 0:
            break
    return count, page.ask("() => [...window.missed].map((one) => one.outerHTML.slice(0, 120))")


@pytest.mark.parametrize("mode", ["adjust", "tools", "crop"])
def test_tab_reaches_everything(page, mode):
    if mode == "crop":
        page.crop()
    if mode == "tools":
        unfold(page)
    count, missed = tabbed(page)
    assert count > 20 and not missed, missed


def test_everything_has_a_name(page):
    page.crop()
    page.press("Escape")
    unnamed = page.ask(
        """() => [...document.querySelectorAll('button, input, select, [role=slider], [role=radio]')].filter((one) =>
          !(one.getAttribute('aria-label') || one.title || one.textContent.trim() || one.labels?.length))
          .map((one) => one.outerHTML.slice(0, 120))""")
    assert unnamed == []


def test_values_are_spoken(page):
    slider = page.tab.get_by_role("slider", name="Exposure", exact=True)
    slider.focus()
    page.press("ArrowRight", "ArrowRight")
    until(lambda: slider.get_attribute("aria-valuetext") == "+0.10 EV", slider.get_attribute("aria-valuetext"))


def test_motion_can_be_reduced(browse, studio):
    page = browse(studio, reduced_motion="reduce")
    page.crop()
    page.choose("Square")
    # Without a spring the frame is there at once.
    assert page.values.get("crop"), "no spring, no wait"
