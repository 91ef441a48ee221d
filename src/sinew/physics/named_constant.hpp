// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sinew::physics {

/// A number of one material or spring law that others do not have; scenes name it.
struct NamedConstant {
  std::string_view name;
  double standard = 0.0;  ///< where a scene does not say
  double minimum = 0.0, maximum = 0.0;
  std::string_view summary;
};

}  // namespace sinew::physics
