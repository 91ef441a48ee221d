# SPDX-License-Identifier: Apache-2.0
import os

import pytest

import sinew

BINARY = os.environ.get("SINEW_BINARY", "")

SMALL = {
    "name": "small",
    "threads": 1,
    "bodies": [{"name": "bar", "mesh": {"generator": "bar", "size": [1, 0.25, 0.25], "cells": [4, 1, 1]},
                "material": {"young": 1e5}}],
    "fixed": [{"body": "bar", "select": {"plane": {"normal": [1, 0, 0]}}}],
    "loads": [{"type": "gravity"}],
    "integrator": {"name": "si"},
    "time": {"dt": 0.01, "end": 0.1},
    "output": {"fps": 50, "probes": [{"name": "tip", "body": "bar",
                                      "select": {"plane": {"point": [1, 0, 0], "normal": [1, 0, 0]}}}]},
}


@pytest.fixture
def small():
    """A bar that is held at one end and falls."""
    return sinew.scene(SMALL)


@pytest.fixture
def binary():
    if not BINARY:
        pytest.skip("there is no program to compare with")
    return BINARY
