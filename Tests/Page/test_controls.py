"""Every control of every filter: keys move it, the file beside the photo gets it, reset takes it back."""

from driver import filters_of, sidecar
from studio import safelight, until


def test_every_control_by_keys(page, photo):
    page.button("Advanced").click()
    for fold in page.tab.locator(".fold-button:visible").all():
        fold.click()
    # Tools have tests of their own.
    controls = page.tab.locator(".adjust .control.number:not(.tool *)")
    flags = controls.evaluate_all("(all) => all.map((one) => one.dataset.flag)")
    assert len(flags) >= 25 and "exposure" in flags and "grain-seed" in flags
    steps = page.ask(
        "() => Object.fromEntries([...safelightStudio.editor.parameters].map(([flag, p]) => [flag, [Number(p.neutral), p.step, p.sliderMaximum]]))")
    for flag in flags:
        page.slider(flag).locator("input").focus()
        neutral, step, most = steps[flag]
        # Some rest at their upper end.
        step = -step if neutral == most else step
        page.press("ArrowLeft" if step < 0 else "ArrowRight")
        value = page.values.get(flag)
        assert value is not None and abs(value - neutral - step) < 1e-6, (flag, value)
    # A choice: arrows pick the next one.
    page.tab.locator('#adjust-panel [data-flag="sharpen-output"] [role=radio][aria-checked=true]').focus()
    page.press("ArrowRight")
    values = page.values
    assert values["sharpen-output"] == "screen" and len(values) == len(flags) + 1

    until(lambda: sidecar(photo), "the edit is beside the photo")
    until(lambda: all(f"--{flag} " in safelight("recipe", "show", photo) for flag in values), "the file has every value")

    # Section by section back to nothing.
    for section in ["Advanced", "Colour", "Detail", "Effects", "Light"]:
        page.button(f"Reset {section}").click()
    page.edited({})
    until(lambda: not filters_of(photo), "the file has no filter left")
    assert page.button("Reset all").count() == 0


def test_reset_all(page, photo):
    page.drag("exposure", 0.2)
    page.choose("Faded")
    page.steps(undo=2)
    page.button("Reset all").click()
    page.steps(undo=3)
    assert page.state("s.edit") == {"base": [], "look": None, "values": {}, "groups": []}
    until(lambda: not filters_of(photo), "the file has no filter left")


def test_typing(page, photo):
    field = page.tab.locator("#adjust-panel").get_by_label("Exposure, value")
    field.fill("−0,75 EV")
    field.press("Enter")
    page.edited({"exposure": -0.75})
    page.steps(undo=1)
    assert filters_of(photo)["exposure"]["stops"] == -0.75
    # Beyond the slider's end, but not beyond what the filter takes.
    field.fill("9")
    field.press("Enter")
    page.edited({"exposure": 5})
    # Esc leaves the value as it was; nonsense is no value.
    field.fill("1")
    field.press("Escape")
    field.fill("bright")
    field.press("Enter")
    assert page.values == {"exposure": 5} and field.input_value() == "+5.00 EV"


def test_double_click_and_delete_reset(page):
    page.drag("contrast", 0.3)
    page.steps(undo=1)
    page.slider("contrast").locator(".slider-rail").dblclick(position={"x": 20, "y": 8})
    page.edited({})
    page.drag("tint", -0.3)
    page.slider("tint").locator("input").focus()
    page.press("Delete")
    page.edited({})


def test_costs_stand_under_what_does_something(page):
    page.drag("clarity", 0.3)
    cost = page.tab.locator('#adjust-panel [data-flag="clarity"] .cost')
    until(lambda: "ms" in cost.inner_text(), "the cost of clarity is shown")
    assert page.tab.locator('#adjust-panel [data-flag="grain"] .cost').inner_text() == ""


def test_auto(page):
    page.button("Auto Light").click()
    light = page.tab.locator('section[aria-label="Light"] .notice')
    until(lambda: light.inner_text(), "what was found is said")
    until(lambda: page.state("s.undo") == 1 or not page.values, "what was found is one step")


def test_escape_takes_a_drag_back(page):
    page.drag("exposure", 0.1)
    page.steps(undo=1)
    before = page.values
    page.drag("exposure", 0.3, release=False)
    assert page.values != before
    page.press("Escape")
    page.edited(before)
    page.tab.mouse.up()
    page.settled()
    assert page.state("s.room") == "photo" and page.state("s.undo") == 1


def test_reset_all_is_all(page, photo):
    page.drag("contrast", 0.2)
    page.steps(undo=1)
    page.crop()
    page.choose("Square")
    page.press("Enter")
    page.steps(undo=2)
    assert "crop" in page.values
    page.button("Reset all").click()
    page.edited({})
    page.steps(undo=3)
    until(lambda: not filters_of(photo), "nothing is left in the file")


def test_what_is_no_number_is_refused(page):
    field = page.tab.locator('#adjust-panel [data-flag="exposure"] .value')
    for typed in ["1/3", "0.30 E0.9V", "bright"]:
        field.fill(typed)
        field.press("Enter")
        assert "refused" in field.get_attribute("class")
        assert field.input_value() == "0.00 EV" and page.values == {}
    field.fill("0,5 ev")
    field.press("Enter")
    page.edited({"exposure": 0.5})
