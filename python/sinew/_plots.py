# SPDX-License-Identifier: Apache-2.0
"""Runs to look at: matplotlib's axes, and the report inside of a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._run import Run


def plot_run(run: Run, what: str, ax: Any) -> Any:
    """The energies of a run, or the motion of a probe, over time."""
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(layout="constrained")
    if what == "energy":
        energy = run.energy
        for name in ("kinetic", "elastic", "gravity", "contact", "total", "numerical_loss"):
            if name in energy and (name in ("kinetic", "total") or energy[name].any()):
                ax.plot(energy.t, energy[name], label=name.replace("_", " "), lw=2 if name == "total" else 1)
        ax.set_ylabel("energy [J]")
    elif what in run.probes:
        probe = run.probes[what]
        for axis, values in zip("xyz", (probe.position - probe.position[0]).T):
            ax.plot(probe.t, values, label=axis)
        ax.set_ylabel(f"way of {what} [m]")
    else:
        raise KeyError(f"{what!r} is neither 'energy' nor a probe: {', '.join(run.probes) or 'there are none'}")
    ax.set_xlabel("t [s]")
    ax.legend()
    return ax


def run_html(run: Run) -> str:
    """The report of a run in a frame of its own; without one, the main numbers."""
    path = run.report()
    if path.exists():
        page = html.escape(path.read_text(encoding="utf-8"), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 640px; border: 0"></iframe>'
    manifest = run.manifest
    rows = {"scene": manifest["scene"]["name"], "method": manifest["integrator"]["name"], "status": run.status,
            "reason": run.reason, "steps": manifest["steps"]["accepted"], "frames": len(run)}
    cells = "".join(f"<tr><th>{name}</th><td>{html.escape(str(value))}</td></tr>"
                    for name, value in rows.items() if value != "")
    return f"<table>{cells}</table>"
