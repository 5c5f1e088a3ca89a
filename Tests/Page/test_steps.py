"""One line of history: marks and edits are undone in the order in which they were made, where they are seen."""

import pytest
from studio import until


@pytest.fixture
def page(shoot, start, browse):
    return browse(start(shoot))


def marked(page, name, rating=0, flag="none", color="none"):
    until(lambda: page.mark(name) == [rating, flag, color], f"{name} has {rating}, {flag}, {color}")


def test_marks_and_edits_in_one_line(page):
    assert page.button("Undo").is_disabled()
    page.press("4")
    page.drag("exposure", 0.2)
    page.steps(undo=1)
    first = page.values
    page.look_away()
    page.press("l")
    marked(page, "photo-001.jpg", 4, color="purple")
    page.press("Control+z")
    marked(page, "photo-001.jpg", 4)
    assert page.values == first, "the edit stays"
    page.press("Control+z")
    page.edited({})
    page.button("Undo").click()
    marked(page, "photo-001.jpg")
    until(lambda: page.button("Undo").is_disabled(), "nothing is left to undo")
    page.press("Control+Shift+z")
    marked(page, "photo-001.jpg", 4)
    page.press("Control+Shift+z")
    page.edited(first)
    page.button("Redo").click()
    marked(page, "photo-001.jpg", 4, color="purple")
    until(lambda: page.button("Redo").is_disabled(), "nothing is left to do again")


def test_a_mark_is_taken_back_where_it_is_seen(page):
    page.press("Shift+X")
    page.opened("photo-002.jpg")
    marked(page, "photo-001.jpg", flag="reject")
    page.press("Control+z")
    page.opened("photo-001.jpg")
    marked(page, "photo-001.jpg")


def test_marks_of_the_grid_are_given_again(page):
    page.grid()
    page.press("5", "Control+z")
    marked(page, "photo-001.jpg")
    page.press("Control+Shift+z")
    marked(page, "photo-001.jpg", 5)


def test_nothing_flickers_without_motion(browse, start, shoot):
    """What moves for as long as something lasts stands still."""
    page = browse(start(shoot), reduced_motion="reduce")
    endless = page.ask(
        """() => {
          const stage = document.querySelector('.stage');
          for (const name of ['pill-dot', 'loading', 'progress', 'rec-dot']) {
            const one = document.createElement(name === 'progress' ? 'progress' : 'div');
            one.className = name;
            stage.append(one);
          }
          return document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations > 1).length;
        }""")
    assert endless == 0
