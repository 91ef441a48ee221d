// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <sinew/core/error.hpp>

namespace sinew::test {

/// Where the InputError thrown by `make` points to; empty if there is none.
inline std::string rejected_place(const std::function<void()>& make) {
  try {
    make();
  } catch (const InputError& error) {
    EXPECT_FALSE(error.problems().front().hint.empty());
    return error.problems().front().where;
  }
  return "";
}

}  // namespace sinew::test
