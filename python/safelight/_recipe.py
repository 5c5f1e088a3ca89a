"""Recipes, renderers and plans."""

from __future__ import annotations

import ctypes
import json
import operator
import os
import threading
from collections import OrderedDict
from ctypes import c_size_t
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _arrays
from ._arrays import Array, Layout
from ._errors import invalid
from ._handles import Handle
from ._library import CImage, attempt, call, encode, options, text

Path = Union[str, "os.PathLike[str]"]
Value = Union[float, int, str, bool, Sequence["tuple[float, float]"]]


def _value(name: str, value: Any) -> str:
    """A value as the command line has it."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if getattr(value, "ndim", 0) == 0:
        # Numbers of numpy, too.
        try:
            return str(operator.index(value))
        except TypeError:
            pass
        if hasattr(value, "__float__"):
            return repr(float(value))
    try:
        return " ".join(f"{float(x)!r},{float(y)!r}" for x, y in value)
    except (TypeError, ValueError):
        raise invalid(f"{name} is {value!r}", "give a number, a text, or a list of points (x, y)") from None


def _list(values: "str | Iterable[str]") -> str:
    return values if isinstance(values, str) else ",".join(values)


class Renderer:
    """What renders pictures: threads, and tables that its plans share.

    Args:
        backend: ``"cpu"``; ``"vulkan"``, a GPU; ``"auto"``, which measures; ``"reference"``, exact and slow.
        threads: How many threads take part in one picture; 0 for one per processor. Programs that render several
            pictures at once, each on a thread of its own, give 1.
    """

    def __init__(self, backend: str = "cpu", threads: int = 0) -> None:
        self.backend = backend
        self.threads = threads
        self._handle = Handle(attempt("renderer_create", encode(backend), threads), "renderer_destroy")

    def __repr__(self) -> str:
        return f"Renderer({self.backend!r}, threads={self.threads})"


class _Default:
    """The renderer of calls that name none."""

    lock = threading.Lock()
    renderer: Optional[Renderer] = None

    @classmethod
    def get(cls) -> Renderer:
        with cls.lock:
            if cls.renderer is None:
                cls.renderer = Renderer()
            return cls.renderer


class Plan:
    """A recipe made ready for pictures of one shape, type and colour space. Many threads may use one at once.

    Attributes:
        shape: The shape of the results.
        space: Their colour space.
    """

    def __init__(
        self, recipe: "Recipe", like: CImage, layout: Layout, format: int, space: Optional[str], renderer: Renderer
    ) -> None:
        self._renderer = renderer
        pointer = attempt(
            "plan_create",
            renderer._handle.pointer,
            recipe._handle.pointer,
            ctypes.byref(like),
            format,
            None if space is None else encode(space),
        )
        self._handle = Handle(pointer, "plan_destroy")
        self._input = layout
        self._space, self._orientation = like.space, like.orientation
        width, height = c_size_t(), c_size_t()
        attempt("plan_size", pointer, ctypes.byref(width), ctypes.byref(height))
        self._output = Layout(height.value, width.value, call("plan_format", pointer))
        self.space: str = space or (like.space or b"srgb").decode()
        self.shape: "tuple[int, int, int]" = (height.value, width.value, [1, 3, 4][(self._output.format - 1) % 3])

    def render(self, array: Any, out: Any = None) -> Any:
        """Renders a picture of the plan's shape, type and space.

        Args:
            array: The picture, which is not changed.
            out: Memory for the result, of the plan's ``shape`` and the result's type; a new array if None.

        Returns:
            ``out``, or the new array.
        """
        picture = Array(array)
        result = _arrays.empty(self._output) if out is None else out
        memory = Array(result, "The memory for the result")
        if not memory.writable:
            raise invalid("The memory for the result cannot be written", "give an array that is not read-only")
        image = picture.image(self._space, self._orientation)
        target = memory.image()
        attempt("plan_render", self._handle.pointer, ctypes.byref(image), ctypes.byref(target))
        return result

    def __str__(self) -> str:
        """What the plan does, stage by stage."""
        return text(attempt("plan_text", self._handle.pointer)) or ""


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
            "auto": _list(auto) or None,
            "straighten": straighten,
            "upright": upright,
            "lens": lens,
        }
        given = [(name, _value(name, value)) for name, value in own.items() if value is not None]
        given += [("masked", group) for group in ([masked] if isinstance(masked, str) else masked)]
        given += [(name.replace("_", "-"), _value(name, value)) for name, value in values.items()]
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
        return Plan(self, image, picture.layout, number, output_space, renderer or _Default.get())

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
            out: Memory for the result; a new array if None.
            renderer: What renders; None for a renderer that all such calls share.

        Returns:
            The result, the right way up: ``out``, or a new array.
        """
        recipe = self.resolve(array, space, orientation=orientation) if self.needs_picture else self
        renderer = renderer or _Default.get()
        key = (Array(array).layout, space, format, output_space, orientation, id(renderer))
        with recipe._lock:
            plan = recipe._plans.get(key)
            if plan is not None:
                recipe._plans.move_to_end(key)
        if plan is None:
            plan = recipe.plan(
                array, space, format=format, output_space=output_space, orientation=orientation, renderer=renderer
            )
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
        given = [(name.replace("_", "-"), _value(name, value)) for name, value in values.items()]
        report = attempt(
            "photo_edit",
            (renderer or _Default.get())._handle.pointer,
            self._handle.pointer,
            encode(photo),
            encode(result),
            *options(given),
        )
        return json.loads(text(report) or "{}")

    def __reduce__(self) -> Any:
        # What it was made from, if anything: values that are open, and a lens to be found, are not in its JSON.
        return _from_options, (self._given if self._given is not None else [("json", self.json())],)

    def __repr__(self) -> str:
        return "Recipe(…)" if self.needs_picture else f"Recipe(json={self.json()!r})"


def _dumps(value: "Mapping[str, Any]") -> str:
    return json.dumps(value)


def _from_options(given: "list[tuple[str, str]]") -> Recipe:
    recipe = Recipe.__new__(Recipe)
    recipe._adopt(attempt("recipe_create", *options(given)), given)
    return recipe
