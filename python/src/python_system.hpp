// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tuple>

#include <pybind11/numpy.h>

#include <sinew/dynamics/dynamical_system.hpp>
#include <sinew/la/diagonal_operator.hpp>

namespace sinew::python {

/// A system that asks a Python object.
std::unique_ptr<dynamics::DynamicalSystem> make_python_system(pybind11::object own);

/// (values, rows, columns) of a matrix, both triangles.
std::tuple<pybind11::array_t<double>, pybind11::array_t<int>, pybind11::array_t<int>>
sparse_entries(const la::LinearOperator& A);

}  // namespace sinew::python
