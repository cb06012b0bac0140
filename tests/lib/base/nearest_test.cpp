#include "lib/base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace da {
namespace {

const std::vector<std::string> kNames = {"press", "paste", "mouse", "focus_window", "file_delete"};

TEST(Nearest, FindsNameForTypo) {
  EXPECT_EQ(nearest("pres", kNames), "press");
  EXPECT_EQ(nearest("psate", kNames), "paste") << "two neighbours changed places";
  EXPECT_EQ(nearest("pxxte", kNames), std::nullopt) << "two edits of five letters";
  EXPECT_EQ(nearest("z", std::vector<std::string>{"x", "y"}), std::nullopt);
  EXPECT_EQ(nearest("past", kNames), "paste");
  EXPECT_EQ(nearest("file_delte", kNames), "file_delete");
  EXPECT_EQ(nearest("MOUSE", kNames), "mouse");
}

TEST(Nearest, PrefixOfThreeLettersMatches) {
  EXPECT_EQ(nearest("foc", kNames), "focus_window");
  EXPECT_EQ(nearest("fo", kNames), std::nullopt);
}

TEST(Nearest, FindsNothingForUnrelatedOrLongWords) {
  EXPECT_EQ(nearest("", kNames), std::nullopt);
  EXPECT_EQ(nearest("zoom", kNames), std::nullopt);
  EXPECT_EQ(nearest(std::string(1000, 'p'), kNames), std::nullopt);
  EXPECT_EQ(did_you_mean("zoom", kNames), "");
  EXPECT_EQ(did_you_mean("pres", kNames), " (did you mean \"press\"?)");
}

}  // namespace
}  // namespace da
