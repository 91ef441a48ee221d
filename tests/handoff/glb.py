"""Reads glTF's binary files by their specification."""
import json
import struct

import numpy


def read_glb(path):
    """The JSON and the binary part."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    head = json.loads(data[20 : 20 + size])
    start = 20 + size
    size, kind = struct.unpack_from("<I4s", data, start)
    assert kind == b"BIN\0" and size == head["buffers"][0]["byteLength"]
    return head, data[start + 8 :]


def accessor(head, binary, index):
    info = head["accessors"][index]
    view = head["bufferViews"][info["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3}[info["type"]]
    kind = {5126: "<f4", 5125: "<u4"}[info["componentType"]]
    count = info["count"] * width
    values = numpy.frombuffer(binary, kind, count, view["byteOffset"])
    return values.reshape(info["count"], width)
