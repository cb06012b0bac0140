#include "lib/base/pattern.h"

#include <gtest/gtest.h>

namespace da {
namespace {

TEST(Pattern, MatchesSubstringIgnoringCaseAcrossLines) {
  const auto pattern = Pattern::compile("log in.*now");
  ASSERT_TRUE(pattern) << pattern.error().message;
  EXPECT_TRUE(pattern->matches("Please LOG IN\nright now!"));
  EXPECT_FALSE(pattern->matches("log out now"));
}

TEST(Pattern, MatchesIfOneOfSeveralIndependentExpressionsDoes) {
  const auto pattern = Pattern::compile_any({"^a$|^b$", "c"});
  ASSERT_TRUE(pattern);
  for (const char* text : {"a", "b", "xcx"}) EXPECT_TRUE(pattern->matches(text)) << text;
  EXPECT_FALSE(pattern->matches("ab"));
  EXPECT_EQ(pattern->expressions().size(), 2U);
}

TEST(Pattern, RefusesEmptyBrokenAndTooLargeExpressions) {
  for (const std::string& expression :
       {std::string(), std::string("("), std::string(20'000, 'a'), std::string("((a{1000}){1000}){1000}")}) {
    EXPECT_FALSE(Pattern::compile(expression)) << expression.substr(0, 40);
  }
}

TEST(QuotePattern, MatchesTheTextOnly) {
  const std::string special = "a.b*c+d?(e)[f]{g}|h^i$j\\k";
  const auto pattern = Pattern::compile(quote_pattern(special));
  ASSERT_TRUE(pattern) << pattern.error().message;
  EXPECT_TRUE(pattern->matches("before " + special + " after"));
  EXPECT_FALSE(pattern->matches("aXb*c+d?(e)[f]{g}|h^i$j\\k"));
  EXPECT_EQ(quote_pattern("New message - ü"), "New message - ü");
}

}  // namespace
}  // namespace da
