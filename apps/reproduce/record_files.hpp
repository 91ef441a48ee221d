// SPDX-License-Identifier: Apache-2.0
// Records of reproductions as files: verdict.json for programs, Markdown for readers, and the page
// of all of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "claim.hpp"

namespace sinew::cli {

/// verdict.json and TARGET.md.
void write_record(const std::filesystem::path& directory, const Record& record);

/// From verdict.json in a folder; throws InputError where there is none or it is no record.
Record read_record(const std::filesystem::path& directory);

/// The page of all records, in their order; `missing` are targets without one.
std::string page_of(const std::vector<Record>& records, const std::vector<std::string>& missing);

}  // namespace sinew::cli
