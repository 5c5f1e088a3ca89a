"""What users write, for a checker of types: `mypy` reads this, nobody runs it."""

from pathlib import Path
from typing import Any, Dict, List

import safelight
import safelight.ray
from typing_extensions import assert_type


def arrays(photo: Any) -> None:
    look = safelight.Recipe(preset="noir", exposure=0.3, crop="16:9")
    look.render(photo, space="display-p3", format="rgb16", renderer=safelight.Renderer(threads=1))
    plan = look.plan(photo)
    assert_type(plan.shape, "tuple[int, int, int]")
    plan.render(photo, out=photo)
    assert_type(safelight.analyze(photo), Dict[str, Any])
    assert_type(safelight.presets(), List[Dict[str, Any]])
    assert_type(safelight.spaces(), List[str])


def photos(photo: Path) -> None:
    report = safelight.Recipe(exposure=0.3).edit(photo, "edited.jpg", quality=85)
    assert_type(report, Dict[str, Any])
    try:
        safelight.Recipe(exposure="bright")
    except safelight.Error as error:
        assert_type(error.remedy, str)


def cameras() -> None:
    with safelight.Camera("synthetic") as camera:
        for frame in camera:
            assert_type(frame.number, int)


def cluster() -> None:
    report = safelight.ray.edit("s3://in/photos", "s3://out", safelight.Recipe(preset="noir"), shards="jpg")
    assert_type(report.failed, int)
