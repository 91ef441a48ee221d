// SPDX-License-Identifier: Apache-2.0
// The server of `sinew view`. Only its own file sees the HTTP library, which is large.
#pragma once

#include <functional>
#include <string>

#include "served_folder.hpp"

namespace sinew::cli {

/// Answers browsers of this machine on a port, or on any free one for 0, with the files of a
/// folder; "/" is report.html. Calls `ready` with the address, and returns when `is_over` says so.
void serve(const ServedFolder& folder, int port,
           const std::function<void(const std::string& url)>& ready,
           const std::function<bool()>& is_over);

}  // namespace sinew::cli
