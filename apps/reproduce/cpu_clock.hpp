// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace sinew::cli {

/// Time of all threads of this process since it was made: unlike wall time it says little about
/// what else the machine did [s].
class CpuClock {
 public:
  double seconds() const {
    return static_cast<double>(std::clock() - start_) / static_cast<double>(CLOCKS_PER_SEC);
  }

 private:
  std::clock_t start_ = std::clock();
};

}  // namespace sinew::cli
