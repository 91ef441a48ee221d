// SPDX-License-Identifier: Apache-2.0
// The natural modes of a scene, with everything that is written about them: what `sinew modes`
// does, for programs.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/dynamics/natural_modes.hpp>
#include <sinew/scene/catalog.hpp>
#include <sinew/scene/format/scene_spec.hpp>

namespace sinew::study {

struct ModesOptions {
  std::filesystem::path directory;  ///< empty: nothing is written
  bool replace = false;             ///< what an earlier run left in `directory` makes room
  Index count = 10;                 ///< the lowest, beside the rigid ones
  bool at_initial = false;          ///< about the initial state instead of the rest shape
  int frames = 1;                   ///< per mode: the shape, or several that make it swing
  std::function<void(const Problem&)> on_warning{};
};

enum class ModeKind {
  vibration,
  rigid,     ///< a motion of whole bodies
  unstable,  ///< lambda < 0: grows as exp(omega t) instead of swinging
};
std::string_view to_string(ModeKind kind);

struct ModeRow {
  int number = 0;  ///< from 1 among those that are not rigid; 0: rigid
  ModeKind kind = ModeKind::vibration;
  double frequency = 0.0;      ///< omega / (2 pi) [Hz]
  double omega = 0.0;          ///< sqrt |lambda| [1/s]
  double lambda = 0.0;         ///< [1/s^2]
  double residual = 0.0;       ///< |K u - lambda M u| in the norm of M^-1, over |lambda|
  double damping_ratio = 0.0;  ///< u^T D u / (2 omega)
  bool is_found = true;        ///< the residual is as small as was asked for
};

struct [[nodiscard]] SceneModes {
  Index dofs = 0, elements = 0;
  bool has_damping = false;
  std::vector<ModeRow> rows;  ///< ascending lambda
  dynamics::NaturalModes found;
  double seconds = 0.0;  ///< for finding them, without set-up and output

  /// All of them.
  bool are_found() const;
  /// How it went, as a sentence.
  std::string reason() const;
};

/// Throws InputError before anything is written if the scene is broken or has fewer modes. Modes
/// that were not found well enough are no exception: found.status says so, and rows say which.
SceneModes find_scene_modes(const scene::SceneSpec& scene, const ModesOptions& options,
                            const scene::Catalog& catalog = scene::builtin_catalog());

}  // namespace sinew::study
