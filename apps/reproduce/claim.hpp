// SPDX-License-Identifier: Apache-2.0
// What a paper says, and what came out here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew::cli {

enum class Verdict { agrees, differs, not_comparable };
std::string_view to_string(Verdict verdict);
/// Throws InputError for other words.
Verdict verdict_of(std::string_view word);
Verdict agrees_if(bool condition);

/// Known before anything is run.
struct Statement {
  std::string id;     ///< unique within its target
  std::string where;  ///< "figure 7", "table 2, ball at 1e8 Pa"
  std::string text;   ///< in our words, as a sentence without a full stop
  std::string paper;  ///< the paper's number; empty: it gives none
};

/// Known afterwards.
struct Finding {
  std::string ours;  ///< our number
  Verdict verdict = Verdict::not_comparable;
  std::string why;  ///< what the verdict rests on; a sentence without a full stop
};

struct Claim {
  Statement statement;
  Finding finding;
};

/// All that is left of a reproduction when it has ended.
struct Record {
  std::string target, paper, summary, scale, command;
  double seconds = 0.0;  ///< of all processors
  std::vector<Claim> claims;
  std::vector<std::string> notes;  ///< what a reader should know about all claims
  std::vector<std::string> files;  ///< tables and plots, beside the record
};

}  // namespace sinew::cli
