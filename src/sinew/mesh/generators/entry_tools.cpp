// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <sinew/core/error.hpp>
#include <sinew/mesh/generators/checks.hpp>
#include <sinew/mesh/generators/entry_tools.hpp>

namespace sinew::mesh {

const std::vector<double>& values_of(const GeneratorValues& values, const std::string& name,
                                     std::size_t length) {
  const auto found = values.find(name);
  SINEW_ASSERT(found != values.end(), fmt::format("no value for parameter '{}'", name));
  if (found->second.size() != length)
    reject_parameter("/" + name, fmt::format("{} values given", found->second.size()),
                     fmt::format("give {}", length));
  return found->second;
}

int whole_number(const std::string& where, double value) {
  if (!(std::abs(value) <= std::numeric_limits<int>::max()) || value != std::floor(value))
    reject_parameter(where, fmt::format("{} is not a whole number", value),
                     "give a whole number of at least 1");
  return static_cast<int>(value);
}

double number(const GeneratorValues& values, const std::string& name) {
  return values_of(values, name, 1)[0];
}

int integer(const GeneratorValues& values, const std::string& name) {
  return whole_number("/" + name, number(values, name));
}

GeneratorParameter number_parameter(std::string name, std::string description,
                                    std::vector<double> defaults) {
  return {std::move(name), std::move(description), ParameterKind::number, std::move(defaults)};
}

GeneratorParameter integer_parameter(std::string name, std::string description,
                                     std::vector<double> defaults) {
  return {std::move(name), std::move(description), ParameterKind::integer, std::move(defaults)};
}

}  // namespace sinew::mesh
