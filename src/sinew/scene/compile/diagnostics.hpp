// SPDX-License-Identifier: Apache-2.0
// What is wrong with a scene, gathered from all parts of it before giving up, and what is merely
// unlikely to be meant.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sinew/core/error.hpp>
#include <sinew/mesh/tet_mesh.hpp>

namespace sinew::scene {

class Diagnostics {
 public:
  /// Whether something holds on any of several processes, of this one's answer.
  using Anywhere = std::function<bool(bool here)>;

  /// Processes that share a scene give up together.
  explicit Diagnostics(std::string source, Anywhere anywhere = {})
      : source_(std::move(source)), anywhere_(std::move(anywhere)) {}

  bool anywhere(bool here) const { return anywhere_ ? anywhere_(here) : here; }
  /// What helps when a selection finds nothing: where the body is, if it is all here.
  std::string extent_hint(const mesh::TetMesh& mesh) const;

  void error(std::string where, std::string what, std::string hint) {
    errors_.push_back({source_, std::move(where), std::move(what), std::move(hint)});
  }
  void warn(std::string where, std::string what, std::string hint) {
    warnings_.push_back({source_, std::move(where), std::move(what), std::move(hint)});
  }

  /// Runs a piece of work and keeps its problems, with their place put behind `pointer`.
  template <class Work>
  void collect(const std::string& pointer, const Work& work) {
    try {
      work();
    } catch (const InputError& error) {
      for (Problem problem : error.problems()) {
        if (problem.where.starts_with('/')) problem.where = pointer + problem.where;
        if (problem.file.empty()) {
          problem.file = source_;
          if (problem.where.empty()) problem.where = pointer;
        }
        errors_.push_back(std::move(problem));
      }
    }
  }

  bool has_errors() const { return !errors_.empty(); }
  void stop_on_errors() {
    if (anywhere(has_errors())) throw InputError(std::move(errors_));
  }
  std::vector<Problem> take_warnings() { return std::move(warnings_); }

 private:
  std::string source_;
  Anywhere anywhere_;
  std::vector<Problem> errors_, warnings_;
};

}  // namespace sinew::scene
