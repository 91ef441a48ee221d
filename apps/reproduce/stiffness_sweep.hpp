// SPDX-License-Identifier: Apache-2.0
// What a step of SIERE and of ERE costs against how stiff a body is.
#pragma once

#include <string>
#include <vector>

#include "scene_runs.hpp"

namespace sinew::cli {

struct StiffnessSweep {
  std::string label;  ///< of its curves
  std::string scene;  ///< whose first body gets the moduli
  Changes changes{};
  std::vector<double> moduli;  ///< Young's, rising [Pa]
  int modes = 5;
  int steps = 10;
  double most_seconds = 10.0;  ///< of all processors, for one run
};

struct StiffnessCost {
  double modulus = 0.0;
  double siere = 0.0, ere = 0.0;  ///< of a step, the first apart [CPU s]
  bool ere_is_bound = false;      ///< no step was done in time: it costs more
};

std::vector<StiffnessCost> measure_costs(const Reproduction& reproduction,
                                         const StiffnessSweep& sweep);

/// NAME.csv and NAME.svg.
void write_costs(Reproduction& reproduction, const std::string& name,
                 const std::vector<StiffnessSweep>& sweeps,
                 const std::vector<std::vector<StiffnessCost>>& costs);

/// By how much the cost of a step grows from the softest to the stiffest.
Finding judge_siere_growth(const std::vector<StiffnessCost>& costs);
Finding judge_ere_growth(const std::vector<StiffnessCost>& costs);

}  // namespace sinew::cli
