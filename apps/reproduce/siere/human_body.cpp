// SPDX-License-Identifier: Apache-2.0
#include "human_body.hpp"

namespace sinew::cli {

std::string body_scene() {
  return has_scene("human-body") ? "human-body" : "soft-figure";
}

std::string body_remark() {
  return has_scene("human-body")
             ? "The body is a stand-in of the paper's size: a soft layer on a fixed inner surface."
             : "There is no scene human-body yet: a soft block of its size, soft-figure, is run "
               "instead.";
}

}  // namespace sinew::cli
