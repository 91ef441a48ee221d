// SPDX-License-Identifier: Apache-2.0
// What the binding files share. Every file binds one folder of the library; nothing here knows what
// the Python layer in python/sinew makes of it.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <sinew/core/types.hpp>

#include "signals.hpp"

namespace sinew::python {

namespace py = pybind11;

void bind_core(py::module_& module);
void bind_mesh(py::module_& module);
void bind_dynamics(py::module_& module);
void bind_physics(py::module_& module);
void bind_integrators(py::module_& module);
void bind_scene(py::module_& module);
void bind_sim(py::module_& module);
void bind_output(py::module_& module);
void bind_study(py::module_& module);

/// Arrays of doubles or whole numbers, row by row; what is given is converted where it has to be.
template <class Scalar>
using Array = py::array_t<Scalar, py::array::c_style | py::array::forcecast>;

/// Takes values over without copying them: the array owns them.
template <class Scalar, class Container>
py::array_t<Scalar> owning_array(Container values, std::vector<py::ssize_t> shape) {
  auto kept = std::make_unique<Container>(std::move(values));
  const auto* data = reinterpret_cast<const Scalar*>(kept->data());
  const py::capsule owner(kept.release(),
                          [](void* place) { delete static_cast<Container*>(place); });
  return py::array_t<Scalar>(std::move(shape), data, owner);
}

/// Rows of a small fixed length: points, tets, edges.
template <class Scalar, class Row>
py::array_t<Scalar> rows_array(std::vector<Row> rows) {
  const auto count = static_cast<py::ssize_t>(rows.size());
  return owning_array<Scalar>(std::move(rows), {count, sizeof(Row) / sizeof(Scalar)});
}

/// The other way round; `what` is for the message.
template <class Row, class Scalar>
std::vector<Row> rows_of(const Array<Scalar>& array, const char* what) {
  constexpr auto length = static_cast<py::ssize_t>(sizeof(Row) / sizeof(Scalar));
  if (array.size() == 0) return {};
  if (array.ndim() != 2 || array.shape(1) != length)
    throw py::value_error(std::string(what) + " must be an array of shape (n, " +
                          std::to_string(length) + ")");
  std::vector<Row> rows(static_cast<std::size_t>(array.shape(0)));
  std::copy_n(array.data(), array.size(), reinterpret_cast<Scalar*>(rows.data()));
  return rows;
}

inline Vec vector_of(const Array<double>& array) {
  return Eigen::Map<const Vec>(array.data(), array.size());
}

}  // namespace sinew::python
