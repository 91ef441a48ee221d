// SPDX-License-Identifier: Apache-2.0
// Every built-in scene with a barrier, under three kinds of methods: after every frame all
// triangles are tested against each other in exact arithmetic. make torture
#include <cstdio>
#include <string>
#include <vector>

#include <sinew/scene/format/builtin_scenes.hpp>

#include <support/contact_scenes.hpp>
#include <support/skin.hpp>

namespace {

using namespace sinew;

/// Returns whether it ran to its end without an intersection. `share`: of its time.
bool holds(const std::string& name, const std::string& method, double share) {
  scene::SceneSpec spec = scene::find_scene(name, {{"integrator.name", method}});
  spec.time.end *= share;
  scene::CompiledScene scene = scene::compile(spec);
  const test::Skin skin(scene);
  const auto workspace = scene.system().make_workspace();
  Index contacts = 0;
  long frames = 0, bad = 0;
  double next = 0.0;
  const sim::RunSummary summary = test::run(scene, [&](const sim::FrameView& view) {
    contacts += scene.system().health().admissibility(view.state, *workspace).contacts;
    if (view.state.t < next) return;
    next += 1.0 / spec.output.fps;
    ++frames;
    if (!test::is_free_of_intersections(skin, scene, view.state)) ++bad;
  });
  const bool is_good = summary.reason == sim::StopReason::reached_end && bad == 0 && contacts > 0;
  std::printf("%-18s %-6s %4ld frames, %7ld contacts, %ld with intersections, %s\n", name.c_str(),
              method.c_str(), frames, static_cast<long>(contacts), bad,
              summary.reason == sim::StopReason::reached_end ? "reached the end" : "FAILED");
  std::fflush(stdout);
  return is_good;
}

}  // namespace

int main(int count, char** words) {
  const double share = count > 1 ? std::stod(words[1]) : 1.0;
  int failures = 0;
  for (const scene::BuiltinScene& entry : scene::builtin_scenes()) {
    const scene::SceneSpec spec = scene::find_scene(std::string(entry.name));
    const bool has_barrier = (spec.contact && spec.contact->model == "barrier") ||
                             (!spec.contact && !spec.obstacles.empty());
    if (!has_barrier) continue;
    for (const char* method : {"be", "si", "siere"})
      if (!holds(std::string(entry.name), method, share)) ++failures;
  }
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
