// SPDX-License-Identifier: Apache-2.0
// What the entries of the table of generators are written with: parameters, and their values. A
// value that is missing is a bug; one of the wrong length or kind throws InputError.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <sinew/mesh/generators.hpp>

namespace sinew::mesh {

GeneratorParameter number_parameter(std::string name, std::string description,
                                    std::vector<double> defaults);
GeneratorParameter integer_parameter(std::string name, std::string description,
                                     std::vector<double> defaults);

template <class Array>
std::vector<double> as_defaults(const Array& values) {
  return {values.begin(), values.end()};
}

const std::vector<double>& values_of(const GeneratorValues& values, const std::string& name,
                                     std::size_t length);

/// `where` points to the value.
int whole_number(const std::string& where, double value);

double number(const GeneratorValues& values, const std::string& name);
int integer(const GeneratorValues& values, const std::string& name);

template <std::size_t k>
std::array<double, k> numbers(const GeneratorValues& values, const std::string& name) {
  std::array<double, k> result;
  std::copy_n(values_of(values, name, k).begin(), k, result.begin());
  return result;
}

template <std::size_t k>
std::array<int, k> integers(const GeneratorValues& values, const std::string& name) {
  std::array<int, k> result;
  const std::array<double, k> given = numbers<k>(values, name);
  for (std::size_t i = 0; i < k; ++i)
    result[i] = whole_number(fmt::format("/{}/{}", name, i), given[i]);
  return result;
}

}  // namespace sinew::mesh
