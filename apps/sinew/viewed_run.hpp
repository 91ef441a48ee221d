// SPDX-License-Identifier: Apache-2.0
// A run as `sinew view` shows it: its report, or, while it goes on, one that is made from what is
// there already.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <sinew/core/profile.hpp>

#include "served_folder.hpp"

namespace sinew::cli {

class ViewedRun {
 public:
  /// Throws InputError if there is nothing to show. The report of a run that has ended is made if
  /// it has none; into the directory of one that goes on nothing is written.
  explicit ViewedRun(const std::filesystem::path& directory);

  const std::filesystem::path& directory() const { return directory_; }
  const ServedFolder& folder() const { return folder_; }
  /// By its manifest: true also of a run that was killed.
  bool is_going_on() const;
  /// Changes whenever there is something new to see.
  std::string state() const;
  /// Of a run that goes on. Made anew when there are new frames, unless that was a moment ago.
  std::string current_report();

 private:
  std::filesystem::path directory_;
  ServedFolder folder_;
  std::mutex mutex_;
  std::string report_, report_state_;
  core::Stopwatch since_report_;
  double making_seconds_ = 0.0;
};

/// A page that shows a run that goes on, and shows it anew when its state changes.
std::string following_page(const std::string& name);

/// A page with links to several runs, by the folders they are served under.
std::string index_page(const std::vector<std::string>& names);

}  // namespace sinew::cli
