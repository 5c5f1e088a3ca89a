"""Recipes."""

from __future__ import annotations

import ctypes
import json
import threading
from collections import OrderedDict
from typing import Any, Iterable, Mapping, Optional

from . import _arrays
from ._arrays import Array
from ._errors import PhotoExistsError
from ._handles import Handle
from ._library import attempt, call, encode, options, text
from ._plan import Default, Plan, Renderer
from ._values import Path, Value, as_list, as_text


class Recipe:
    """An edit: a look, values of filters, and what is to be found in each picture. It does not change.

    ``Recipe(preset="noir", strength=70, exposure=0.3, crop="4:5")`` names filters as the command line does, with
    underscores for hyphens; :func:`safelight.filters` lists them. Curves are lists of points:
    ``curve=[(0, 0), (0.5, 0.6), (1, 1)]``.

    Args:
        preset: The name of a look; see :func:`safelight.presets`.
        strength: How much of the preset, and of a table given by ``lut``, is applied: 0…100 %.
        recipe: The path of a recipe file that the edit begins with.
        json: The text of a recipe that the edit begins with, or what :func:`json.loads` made of one.
        masked: Filters under masks: ``"linear 0.5,0.6 0.5,0.3: exposure -1"``; one or several.
        auto: Values to find in each picture: ``"exposure"``, ``"white-balance"``, ``"tone"``, or ``"all"``.
        straighten: Degrees clockwise, or ``"auto"``: by the horizon.
        upright: ``"auto"``, ``"vertical"``, ``"level"`` or ``"full"``.
        lens: For photo files: ``"auto"``, ``"off"``, or a name in Lensfun's database.
        **values: Values of filters.
    """

    def __init__(
        self,
        *,
        preset: Optional[str] = None,
        strength: Optional[float] = None,
        recipe: Optional[Path] = None,
        json: "Optional[str | Mapping[str, Any]]" = None,
        masked: "str | Iterable[str]" = (),
        auto: "str | Iterable[str]" = (),
        straighten: "Optional[float | str]" = None,
        upright: Optional[str] = None,
        lens: Optional[str] = None,
        **values: Value,
    ) -> None:
        if json is not None and not isinstance(json, str):
            json = _dumps(json)
        own = {
            "preset": preset,
            "strength": strength,
            "recipe": recipe,
            "json": json,
            "auto": as_list(auto) or None,
            "straighten": straighten,
            "upright": upright,
            "lens": lens,
        }
        given = [(name, as_text(name, value)) for name, value in own.items() if value is not None]
        given += [("masked", group) for group in ([masked] if isinstance(masked, str) else masked)]
        given += [(name.replace("_", "-"), as_text(name, value)) for name, value in values.items()]
        self._adopt(attempt("recipe_create", *options(given)), given)

    def _adopt(self, pointer: int, given: "Optional[list[tuple[str, str]]]" = None) -> None:
        self._given = given
        self._handle = Handle(pointer, "recipe_destroy")
        self._plans: "OrderedDict[Any, Plan]" = OrderedDict()
        self._lock = threading.Lock()

    @classmethod
    def _of(cls, pointer: int) -> "Recipe":
        recipe = cls.__new__(cls)
        recipe._adopt(pointer)
        return recipe

    @classmethod
    def _from(cls, given: "list[tuple[str, str]]") -> "Recipe":
        recipe = cls.__new__(cls)
        recipe._adopt(attempt("recipe_create", *options(given)), given)
        return recipe

    @classmethod
    def of_photo(cls, photo: Path) -> "Recipe":
        """The edit that is kept beside a photo, in ``PHOTO.safelight.json``."""
        return cls._of(attempt("recipe_of_photo", encode(photo)))

    def keep(self, photo: Path) -> None:
        """Keeps this edit beside a photo; its earlier edit becomes part of the history."""
        attempt("recipe_keep", self._handle.pointer, encode(photo))

    @property
    def needs_picture(self) -> bool:
        """Whether values are to be found in each picture."""
        return bool(call("recipe_needs_picture", self._handle.pointer))

    @property
    def found(self) -> "Optional[dict[str, Any]]":
        """The values that :meth:`resolve` found, with reasons; None if nothing was to be found."""
        found = text(call("recipe_found", self._handle.pointer))
        return None if found is None else json.loads(found)

    def resolve(self, array: Any, space: str = "srgb", *, orientation: int = 1) -> "Recipe":
        """Finds the values that this recipe leaves open in a picture, and returns a recipe with them."""
        image = (picture := Array(array)).image(encode(space), orientation)
        resolved = attempt("recipe_resolve", self._handle.pointer, ctypes.byref(image))
        del picture
        return Recipe._of(resolved)

    def json(self) -> str:
        """The recipe as text, as recipe files have it. Values must not be open."""
        return text(attempt("recipe_json", self._handle.pointer)) or ""

    def plan(
        self,
        like: Any,
        space: str = "srgb",
        *,
        format: Optional[str] = None,
        output_space: Optional[str] = None,
        orientation: int = 1,
        renderer: Optional[Renderer] = None,
    ) -> Plan:
        """Plans this recipe for pictures like ``like``; arguments are those of :meth:`render`."""
        picture = Array(like)
        number = 0 if format is None else _arrays.format_number(format)
        image = picture.image(encode(space), orientation)
        return Plan(self, image, picture.layout, number, output_space, renderer or Default.get())

    def render(
        self,
        array: Any,
        space: str = "srgb",
        *,
        format: Optional[str] = None,
        output_space: Optional[str] = None,
        orientation: int = 1,
        out: Any = None,
        renderer: Optional[Renderer] = None,
    ) -> Any:
        """Edits a picture.

        Plans are kept, so the next picture of the same shape costs only its rendering; noise is measured in the first
        one. Python's other threads run meanwhile.

        Args:
            array: Rows, columns and 1, 3 or 4 channels of uint8, uint16 or float32; full scale is 255, 65535 or 1.0.
                It is read where it is and not changed.
            space: The array's colour space; see :func:`safelight.spaces`.
            format: The type of the result, such as ``"rgb16"``; None for the array's own, RGB for grey.
            output_space: The result's colour space; None for the array's own.
            orientation: EXIF's number for how the array must be turned for display.
            out: Memory for the result, which may be the array's own; a new array if None.
            renderer: What renders; None for a renderer that all such calls share.

        Returns:
            The result, the right way up: ``out``, or a new array.
        """
        recipe = self.resolve(array, space, orientation=orientation) if self.needs_picture else self
        renderer = renderer or Default.get()
        key = (Array(array).layout, space, format, output_space, orientation, id(renderer))
        with recipe._lock:
            plan = recipe._plans.get(key)
            if plan is not None:
                recipe._plans.move_to_end(key)
        if plan is None:
            plan = recipe.plan(array, space, format=format, output_space=output_space, orientation=orientation, renderer=renderer)
            with recipe._lock:
                recipe._plans[key] = plan
                while len(recipe._plans) > 8:
                    recipe._plans.popitem(last=False)
        return plan.render(array, out)

    def edit(
        self,
        photo: Path,
        result: Path,
        *,
        renderer: Optional[Renderer] = None,
        **values: Value,
    ) -> "dict[str, Any]":
        """Edits a photo file as ``safelight edit`` does. The original is not changed.

        Args:
            photo: The path of the photo: JPEG, PNG, TIFF, WebP, HEIC, AVIF, JPEG XL, a camera raw.
            result: The path of the result, whose ending is its format. It appears when it is complete.
            renderer: What renders; None for a renderer that all such calls share.
            **values: ``quality`` 1…100, ``max_size`` (2048 or "1920x1080"), ``max_bytes``, ``color_space``,
                ``metadata``, ``copyright``, ``overwrite`` (True or False).

        Returns:
            The report: ``width``, ``height``, ``bytes``, ``milliseconds``, ``warnings``, ``plan`` …
        """
        given = [(name.replace("_", "-"), as_text(name, value)) for name, value in values.items()]
        try:
            report = attempt(
                "photo_edit",
                (renderer or Default.get())._handle.pointer,
                self._handle.pointer,
                encode(photo),
                encode(result),
                *options(given),
            )
        except PhotoExistsError as error:
            # The library does not know what the option is called here.
            remedy = "give overwrite=True or choose another name"
            raise PhotoExistsError(f"{error.problem}; {remedy}.", error.problem, remedy) from None
        facts: "dict[str, Any]" = json.loads(text(report) or "{}")
        return facts

    def __reduce__(self) -> Any:
        # What it was made from, if anything: values that are open, and a lens to be found, are not in its JSON.
        return _from_options, (self._options,)

    @property
    def _options(self) -> "list[tuple[str, str]]":
        """What this recipe can be made from again."""
        return [("json", self.json())] if self._given is None else list(self._given)

    def __repr__(self) -> str:
        return "Recipe(…)" if self.needs_picture else f"Recipe(json={self.json()!r})"


def _dumps(value: "Mapping[str, Any]") -> str:
    return json.dumps(value)


def _from_options(given: "list[tuple[str, str]]") -> Recipe:
    return Recipe._from(given)
