// Exit codes of the commands for people, and their errors on stderr.
#pragma once

#include <iostream>

#include "lib/base/result.h"
#include "lib/base/text.h"

namespace da::policy {

inline constexpr int kExitOk = 0;
inline constexpr int kExitProblem = 1;   // The command ran and found a problem.
inline constexpr int kExitUnusable = 2;  // Bad usage, or an unusable file.

inline int unusable(const Error& error) {
  std::cerr << "da-policy: " << escape_foreign_lines(error.message, 8'000) << "\n";
  return kExitUnusable;
}

}  // namespace da::policy
