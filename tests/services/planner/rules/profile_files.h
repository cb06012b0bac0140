// The profiles of this folder, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "lib/os/files/files.h"
#include "services/planner/rules/profile/profile_reader.h"

namespace da::planner::rules {

inline std::string example(const std::string& name) {
  const auto text = os::read_file(std::string(DA_PROFILES_DIR) + "/" + name + ".json");
  EXPECT_TRUE(text) << name;
  return text.value_or("");
}

// All problems as "line:column: error: message" lines.
inline std::string problems_of(const ReadProfile& read) {
  std::string all;
  for (const Problem& problem : read.problems) all += problem_text("", problem).substr(1) + "\n";
  return all;
}

inline Profile must_read(std::string_view text) {
  auto read = read_profile(text);
  EXPECT_TRUE(read.profile) << problems_of(read);
  return read.profile ? *std::move(read.profile) : Profile();
}

}  // namespace da::planner::rules
