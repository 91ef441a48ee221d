// SPDX-License-Identifier: Apache-2.0
// Small scenes with contact, and what to look at in them.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>

namespace sinew::test {

/// A scene of these parts of its JSON, with `more` changes.
inline scene::CompiledScene compile_text(const std::string& parts,
                                         const std::vector<scene::Override>& more = {}) {
  return scene::compile(
      scene::parse_scene("{\"sinew\": 1, \"output\": {\"fps\": 0}, " + parts + "}", "test", more));
}

/// Calls look(view) at the start and after every step.
template <class Look>
class EveryStep final : public sim::Observer {
 public:
  explicit EveryStep(Look look) : look_(std::move(look)) {}
  void on_start(const sim::FrameView& view) override { look_(view); }
  void on_step(const sim::FrameView& view, const sim::StepRecord& record) override {
    if (record.report.status == integrators::StepStatus::accepted) look_(view);
  }

 private:
  Look look_;
};

template <class Look>
sim::RunSummary run(scene::CompiledScene& scene, Look look) {
  EveryStep observer(std::move(look));
  scene.simulation->add_observer(observer);
  return scene.simulation->run();
}

inline sim::RunSummary run(scene::CompiledScene& scene) {
  return run(scene, [](const sim::FrameView&) {});
}

/// Of a field per point, as one column per vertex.
inline Mat field_of(const scene::CompiledScene& scene, const char* name,
                    const dynamics::State& state) {
  const auto workspace = scene.system().make_workspace();
  Vec values(3 * scene.system().num_vertices());
  scene.system().observables().evaluate_field(name, state, *workspace, values);
  return values.reshaped(3, scene.system().num_vertices());
}

}  // namespace sinew::test
