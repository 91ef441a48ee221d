// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sinew::la {

/// Keeps OpenBLAS on one thread while at least one guard lives; the last one restores. The first
/// one of a process also sees to it that OpenBLAS uses the processor (see openblas.cpp).
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;
};

/// Version, build options and the kernels in use, e.g. "OpenBLAS 0.3.21 ... Haswell ...".
std::string_view openblas_name();

}  // namespace sinew::la
