#include "services/console/environment/dotenv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::console {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Read {
  std::string text;
  std::string value;  // Expected value of NAME.
};
class DotenvValues : public testing::TestWithParam<Read> {};

TEST_P(DotenvValues, AreReadAsWritten) {
  const auto entries = parse_dotenv(GetParam().text, ".env");
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 1u) << GetParam().text;
  EXPECT_EQ(entries->front().name, "NAME");
  EXPECT_EQ(entries->front().value, GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(
    , DotenvValues,
    testing::Values(Read{"NAME=value", "value"}, Read{"NAME=value\n", "value"}, Read{"NAME=value\r\n", "value"},
                    Read{"\xEF\xBB\xBFNAME=value", "value"}, Read{"  NAME = value \t", "value"},
                    Read{"export NAME=value", "value"}, Read{"export\tNAME = value", "value"},
                    Read{"# a\n\n \t# b\nNAME=value # c", "value"}, Read{"NAME=value#no comment", "value#no comment"},
                    Read{"NAME=#all comment", ""}, Read{"NAME=", ""}, Read{"NAME=a=b=c", "a=b=c"},
                    Read{"NAME='a \"b\" #c'", "a \"b\" #c"}, Read{"NAME='\\n$X'", "\\n$X"},
                    Read{"NAME=\"a\\nb\\t\\\"c\\\"\\\\\" # d", "a\nb\t\"c\"\\"}, Read{"NAME=\"\\q\"", "\\q"},
                    Read{"NAME=\"two\nlines\"", "two\nlines"}, Read{"NAME='two\r\nlines'\r\n", "two\nlines"},
                    Read{"NAME=it's", "it's"}, Read{"NAME=Grüße", "Grüße"},
                    Read{"NAME=$(touch /tmp/x)", "$(touch /tmp/x)"}, Read{"NAME=`id`", "`id`"},
                    Read{"NAME=\"${HOME}\"", "${HOME}"}, Read{"NAME=\"\\$HOME\"", "$HOME"}));

struct Refused {
  std::string text;
  std::string where;
  std::string why;
};
class HostileDotenv : public testing::TestWithParam<Refused> {};

TEST_P(HostileDotenv, IsRefusedWithItsLineAndWithoutItsValue) {
  const auto entries = parse_dotenv(GetParam().text, ".env");
  ASSERT_FALSE(entries) << GetParam().text;
  EXPECT_THAT(entries.error().message, HasSubstr(GetParam().where));
  EXPECT_THAT(entries.error().message, HasSubstr(GetParam().why));
  EXPECT_THAT(entries.error().message, Not(HasSubstr("hunter2")));
  EXPECT_LT(entries.error().message.size(), 300u);
}

INSTANTIATE_TEST_SUITE_P(, HostileDotenv,
                         testing::Values(Refused{"A=1\nB", ".env:2: ", "there is no ="},
                                         Refused{"A=1\n=hunter2", ".env:2: ", "NAME=VALUE"},
                                         Refused{"1A=hunter2", ".env:1: ", "begins with"},
                                         Refused{"set -a\nA=hunter2", ".env:1: ", "there is no ="},
                                         Refused{"export=1\nexport A", ".env:2: ", "there is no ="},
                                         Refused{"A='hunter2\nB=2\n", ".env:1: ", "is not closed"},
                                         Refused{"\nA=\"hunter2\\\"", ".env:2: ", "is not closed"},
                                         Refused{"A=\"hunter2\" B=2", ".env:1: ", "after the closing quote"},
                                         Refused{"A='hunter2'hunter2", ".env:1: ", "after the closing quote"},
                                         Refused{std::string("A=1\nB=hunter2\0", 14), ".env:2: ", "control character"},
                                         Refused{"A=hunter2\x1b[2J", ".env:1: ", "control character"},
                                         Refused{"A=hunter2\rB=1", ".env:1: ", "control character"},
                                         Refused{"A=\xff", ".env", "not UTF-8"},
                                         Refused{"A=-----BEGIN KEY-----\nhunter2MIIE\n", ".env:2: ", "there is no ="},
                                         Refused{"A B=hunter2", ".env:1: ", "there is no ="},
                                         Refused{std::string(201, 'A') + "=1", ".env:1: ", "NAME=VALUE"},
                                         Refused{std::string(70'000, '#'), ".env", "has more than 65536 bytes"}));

TEST(Dotenv, ExportMayBeANameItself) {
  const auto entries = parse_dotenv("export=1\nexport = 2", ".env");
  ASSERT_TRUE(entries) << entries.error().message;
  EXPECT_EQ(entries->at(0).name, "export");
  EXPECT_EQ(entries->at(1).value, "2");
}

TEST(Dotenv, LinesAreCountedThroughQuotedValues) {
  const auto entries = parse_dotenv("A='1\n2\n3'\nB=4\r\n\r\nC=5", ".env");
  ASSERT_TRUE(entries) << entries.error().message;
  ASSERT_EQ(entries->size(), 3u);
  EXPECT_EQ(entries->at(1).line, 4u);
  EXPECT_EQ(entries->at(2).line, 6u);
}

TEST(Dotenv, TheLargestFileIsReadInOnePass) {
  std::string text;
  while (text.size() + 4 <= kMaxDotenvBytes) text += "A=1\n";
  const auto entries = parse_dotenv(text, ".env");
  ASSERT_TRUE(entries);
  EXPECT_EQ(entries->size(), kMaxDotenvBytes / 4);
}

}  // namespace
}  // namespace da::console
