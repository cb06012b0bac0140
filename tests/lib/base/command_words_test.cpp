#include "lib/base/command_words.h"

#include <gtest/gtest.h>

namespace da {
namespace {

using Words = std::vector<std::string>;

TEST(CommandWords, SplitsWordsAndQuotes) {
  EXPECT_EQ(split_words("a  b\tc").value(), (Words{"a", "b", "c"}));
  EXPECT_EQ(split_words("a \"b c\" 'd \"e' f\\ g ''").value(), (Words{"a", "b c", "d \"e", "f g", ""}));
  EXPECT_EQ(split_words("echo $HOME; rm *").value(), (Words{"echo", "$HOME;", "rm", "*"}));
}

TEST(CommandWords, RefusesUnclosedQuotesAndEmptyCommands) {
  EXPECT_EQ(split_words("a 'b").error().code, Code::kInvalidArgument);
  EXPECT_EQ(split_words("  ").error().code, Code::kInvalidArgument);
}

}  // namespace
}  // namespace da
