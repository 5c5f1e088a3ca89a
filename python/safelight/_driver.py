"""The driver, which keeps editors busy and replaces those that are lost, for `safelight.ray`."""

from __future__ import annotations

from typing import Any, Iterator

import ray

from ._editor import Block, Editor, Plan
from ._progress import Progress

# How often a block may lose its actor or machine before a run is given up.
_MOST_LOSSES = 20


def run_blocks(plan: Plan, blocks: "Iterator[Block]", workers: int, shown: Progress) -> None:
    """Gives blocks to actors, each of which has one under way and one waiting. What an actor had that is lost is given again."""
    editors: "dict[Any, int]" = {}
    under_way: "dict[Any, tuple[Any, Block]]" = {}
    # ray.remote changes the class, which checkers of types do not see.
    actor: Any = Editor
    again: "list[Block]" = []
    losses: "dict[int, int]" = {}
    closing: "dict[Any, Any]" = {}

    def fill() -> None:
        for depth in (1, 2):
            while len(editors) < workers or any(count < depth for count in editors.values()):
                block = again.pop() if again else next(blocks, None)
                if block is None:
                    return
                editor = min(editors, key=editors.__getitem__, default=None)
                if editor is None or len(editors) < workers:
                    editor = actor.remote(plan)
                    editors[editor] = 0
                editors[editor] += 1
                under_way[editor.edit.remote(*block)] = (editor, block)

    try:
        fill()
        while under_way:
            ready, _ = ray.wait(list(under_way), num_returns=1)
            editor, block = under_way.pop(ready[0])
            try:
                failed, megapixels = ray.get(ready[0])
            except ray.exceptions.RayTaskError as error:
                # Ray's own text is a dump of the stack.
                raise (error.cause or error) from None
            except (ray.exceptions.RayActorError, ray.exceptions.OutOfMemoryError) as error:
                losses[block[0]] = losses.get(block[0], 0) + 1
                if getattr(error, "actor_init_failed", False) or losses[block[0]] > _MOST_LOSSES:
                    raise
                again.append(block)
                if editors.pop(editor, None) is not None:
                    # One that only cannot be reached must not go on.
                    ray.kill(editor)
            else:
                shown.add(len(block[1]), failed, megapixels)
                if editor in editors:
                    editors[editor] -= 1
            fill()
            # An actor that waits for a processor may have a block; one that has none must not keep it waiting.
            for editor in [editor for editor, count in editors.items() if count == 0]:
                del editors[editor]
                closing[editor.close.remote()] = editor
        ray.wait(list(closing), num_returns=len(closing), timeout=10)
    finally:
        for editor in [*editors, *closing.values()]:
            ray.kill(editor)
