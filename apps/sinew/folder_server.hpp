// SPDX-License-Identifier: Apache-2.0
// The server of `sinew view`. Only its own file sees the HTTP library, which is large.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "viewed_run.hpp"

namespace sinew::cli {

/// Answers browsers of this machine on a port, or on any free one for 0, with the files of runs;
/// "/" is the report of a single one, or a page with links to "/NAME/" of each. Calls `ready` with
/// the address. When `is_over` says so the process ends, at once: what browsers keep open, and a
/// report that is being made, would hold it up.
void serve(const std::vector<std::unique_ptr<ViewedRun>>& runs, int port,
           const std::function<void(const std::string& url)>& ready,
           const std::function<bool()>& is_over);

}  // namespace sinew::cli
