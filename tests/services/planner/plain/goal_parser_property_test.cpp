// Any text is a goal, or an error that names a place.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "lib/base/text.h"
#include "services/planner/plain/language/goal_parser.h"

namespace da::planner::plain {
namespace {

TEST(GoalParserProperty, AnyBytesGiveAGoalOrAnErrorWithAPlace) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const auto goal = parse_goal(bytes);
    if (!goal) RC_ASSERT(goal.error().message.starts_with("line "));
  }));
}

// Random pieces of the language reach more code than random bytes.
TEST(GoalParserProperty, AnyMixOfItsOwnPiecesGivesAGoalOrAnErrorWithAPlace) {
  const std::vector<std::string> pieces = {"open",
                                           "focus",
                                           "type",
                                           "paste",
                                           "press",
                                           "click",
                                           "double-click",
                                           "right",
                                           "scroll",
                                           "up",
                                           "drag",
                                           "from",
                                           "to",
                                           "wait",
                                           "for",
                                           "check",
                                           "is",
                                           "window",
                                           "has",
                                           "text",
                                           "the",
                                           "into",
                                           "at",
                                           "\"",
                                           "'",
                                           "“",
                                           "”",
                                           "\\",
                                           "+",
                                           ",",
                                           ";",
                                           "\n",
                                           "then",
                                           "seconds",
                                           "1",
                                           "-7",
                                           "1e308",
                                           "99999999999999",
                                           "ctrl+s",
                                           "\"a\"",
                                           "ü",
                                           "\x80",
                                           " ",
                                           "delete file",
                                           "if",
                                           "repeat",
                                           "times",
                                           "optional",
                                           "within",
                                           "select",
                                           "in",
                                           "2nd",
                                           "button",
                                           "not",
                                           "visible",
                                           ":",
                                           "{",
                                           "}",
                                           "#"};
  EXPECT_TRUE(rc::check([&] {
    std::string text;
    const int count = *rc::gen::inRange(0, 30);
    for (int i = 0; i < count; ++i)
      text += *rc::gen::elementOf(pieces) + *rc::gen::element(std::string(" "), std::string());
    const auto goal = parse_goal(text);
    if (!goal) RC_ASSERT(goal.error().message.starts_with("line "));
  }));
}

std::string quoted(const std::u32string& text) {
  std::string out = "\"";
  for (const char32_t c : text) {
    if (c == U'"' || c == U'\\') out += '\\';
    append_utf8(out, c);
  }
  return out + "\"";
}

TEST(GoalParserProperty, AnyQuotedTextIsReadBackExactly) {
  EXPECT_TRUE(rc::check([] {
    const auto scalar = rc::gen::oneOf(rc::gen::inRange<char32_t>(0x20, 0x7f), rc::gen::inRange<char32_t>(0xa0, 0xd800),
                                       rc::gen::inRange<char32_t>(0xe000, 0x110000), rc::gen::just(U'\n'));
    const std::u32string text = *rc::gen::container<std::u32string>(scalar);
    RC_PRE(!text.empty());
    std::string utf8;
    for (const char32_t c : text) append_utf8(utf8, c);
    const auto goal = parse_goal("type " + quoted(text));
    RC_ASSERT(goal.has_value());
    RC_ASSERT(std::get<TypeText>(goal->front().command).text == utf8);
  }));
}

}  // namespace
}  // namespace da::planner::plain
