// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sinew::output {

/// The page built from web/, with an empty place for data; empty in a build without it.
std::string_view report_page();

}  // namespace sinew::output
