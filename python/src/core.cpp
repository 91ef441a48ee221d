// SPDX-License-Identifier: Apache-2.0
#include <sinew/core/error.hpp>
#include <sinew/core/executor.hpp>
#include <sinew/core/version.hpp>

#include "bindings.hpp"

namespace sinew::python {
namespace {

/// As sinew.InputError, whose class is written in Python.
void raise_input_error(const InputError& error) {
  py::list problems;
  for (const Problem& problem : error.problems())
    problems.append(py::make_tuple(problem.file, problem.where, problem.what, problem.hint));
  const py::object type = py::module_::import("sinew._errors").attr("InputError");
  PyErr_SetObject(type.ptr(), type(error.what(), problems).ptr());
}

}  // namespace

void bind_core(py::module_& module) {
  module.attr("version") = core::version;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise_input_error(error);
    } catch (const core::Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const InternalError& error) {
      PyErr_SetString(PyExc_AssertionError, error.what());
    }
  });
}

}  // namespace sinew::python
