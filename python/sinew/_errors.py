# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """One thing wrong with the input."""

    file: str
    pointer: str
    what: str
    hint: str

    def __str__(self) -> str:
        text = ": ".join(part for part in (self.file, self.pointer, self.what) if part)
        return f"{text} ({self.hint})" if self.hint else text


class InputError(ValueError):
    """A scene, a mesh or a run that cannot be used.

    ``problems`` lists everything that was found; ``file``, ``pointer`` (a JSON pointer such as
    ``/time/dt``), ``what`` and ``hint`` are those of the first.
    """

    def __init__(self, message: str, problems: list | None = None):
        super().__init__(message)
        self.problems = [Problem(*problem) for problem in problems or [("", "", message, "")]]

    @property
    def file(self) -> str:
        return self.problems[0].file

    @property
    def pointer(self) -> str:
        return self.problems[0].pointer

    @property
    def what(self) -> str:
        return self.problems[0].what

    @property
    def hint(self) -> str:
        return self.problems[0].hint


class StepFailed(RuntimeError):
    """A step that could not be made; the simulation is where it was before.

    ``status`` is the word that steps.csv has for the cause, ``t`` where the step began [s] and
    ``dt`` the smallest one that was tried [s].
    """

    def __init__(self, status: str, explanation: str, t: float, dt: float):
        super().__init__(f"at t = {t:.6g} s, dt = {dt:.3g} s: {explanation or status}")
        self.status, self.explanation, self.t, self.dt = status, explanation, t, dt

    def __reduce__(self):  # so that it comes back from other processes
        return StepFailed, (self.status, self.explanation, self.t, self.dt)


class SceneWarning(UserWarning):
    """Something in a scene that is unlikely to be meant."""


class RunWarning(UserWarning):
    """A run that did not reach its end."""
