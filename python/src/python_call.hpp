// SPDX-License-Identifier: Apache-2.0
// Objects of Python's that the library holds, and asks from any thread.
#pragma once

#include <memory>

#include <pybind11/pybind11.h>

namespace sinew::python {

/// The last reference may go on a thread without the lock of the interpreter.
inline std::shared_ptr<pybind11::object> keep(pybind11::object own) {
  return {new pybind11::object(std::move(own)), [](pybind11::object* last) {
            const pybind11::gil_scoped_acquire lock;
            delete last;
          }};
}

/// With the lock held.
inline bool has(const pybind11::object& own, const char* name) {
  return pybind11::hasattr(own, name) && !own.attr(name).is_none();
}

/// An attribute, or what stands for it.
template <class Value>
Value attribute(const pybind11::object& own, const char* name, Value standard) {
  return has(own, name) ? own.attr(name).cast<Value>() : standard;
}

}  // namespace sinew::python
