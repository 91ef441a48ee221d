// SPDX-License-Identifier: Apache-2.0
// A row of the table of spring laws from the struct that defines one: static functions energy,
// tension and stiffness of a spring and its length. Include it in the one source file of a law: the
// loops over springs are compiled there.
#pragma once

#include <utility>

#include <sinew/physics/elements/spring_set.hpp>
#include <sinew/physics/laws/registry.hpp>
#include <sinew/physics/terms/plastic_springs.hpp>

namespace sinew::physics {

/// What a row says in words.
struct SpringLawText {
  std::string_view name, title, formula, remark;
  std::vector<NamedConstant> constants{};
};

template <class Kernel>
std::unique_ptr<ElementSet> make_spring_set(SpringElements springs, Parts parts) {
  return std::make_unique<SpringSet<Kernel>>(SpringLoops(std::move(springs), parts));
}

template <class Law>
std::unique_ptr<Term> make_plastic_springs(SpringElements springs, Parts parts,
                                           double energy_scale) {
  return std::make_unique<PlasticSprings<Law>>(SpringLoops(std::move(springs), parts),
                                               energy_scale);
}

template <class Law>
SpringLawEntry spring_law_entry(SpringLawText text) {
  return {.name = text.name,
          .title = text.title,
          .formula = text.formula,
          .remark = text.remark,
          .constants = std::move(text.constants),
          .energy = &Law::energy,
          .tension = &Law::tension,
          .stiffness = &Law::stiffness,
          .make_elastic = &make_spring_set<ElasticSpring<Law>>,
          .make_about_rest = &make_spring_set<SpringAboutRest<Law>>,
          .make_along = &make_spring_set<SpringAlong<Law>>,
          .make_plastic = &make_plastic_springs<Law>};
}

}  // namespace sinew::physics
