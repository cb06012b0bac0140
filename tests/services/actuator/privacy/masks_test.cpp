#include "services/actuator/privacy/masks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::actuator {
namespace {

using testing::HasSubstr;

Mask mask_of(const std::string& lines) {
  auto masks = Masks::parse("[[mask]]\n" + lines, "m.toml");
  EXPECT_TRUE(masks) << masks.error().message;
  return masks->all().at(0);
}

WindowInfo window_of(const std::string& executable, const std::string& title) {
  WindowInfo info;
  info.pid = executable.empty() ? 0 : 1;
  info.executable = executable;
  info.title = title;
  return info;
}

TEST(Masks, ARectangleMayLieAtNegativeCoordinates) {
  EXPECT_EQ(mask_of("rect = [-1920, 0, 100, 50]").rect, (Rect{-1920, 0, 100, 50}));
}

TEST(Masks, WindowMatchesByTitleAndProcess) {
  const Mask mask = mask_of("window = 'inbox'\nprocess = '^thunderbird$'");
  EXPECT_TRUE(mask.whole_window());
  EXPECT_TRUE(mask.covers(window_of("/usr/bin/thunderbird", "Inbox - Mail")));
  EXPECT_FALSE(mask.covers(window_of("/usr/bin/mousepad", "Inbox - Mail")));
  EXPECT_FALSE(mask.covers(window_of("/usr/bin/thunderbird", "Drafts")));
}

// Regression: a window that named no process, or a wrong one, escaped the masks of its program.
TEST(Masks, WindowOfAnUnknownProgramMatchesEveryProgram) {
  const Mask mask = mask_of("window = 'inbox'\nprocess = '^thunderbird$'");
  EXPECT_TRUE(mask.covers(window_of("", "Inbox - Mail")));
  EXPECT_FALSE(mask.covers(window_of("", "Drafts")));
  EXPECT_TRUE(mask_of("process = '^thunderbird$'").covers(window_of("", "any")));
  WindowInfo unreadable = window_of("", "any");
  unreadable.pid = 7;
  EXPECT_TRUE(mask_of("process = '^thunderbird$'").covers(unreadable));
}

TEST(Masks, TitleIsHiddenIfAtLeastHalfOfTheWindowIsCovered) {
  WindowInfo info = window_of("/usr/bin/thunderbird", "Inbox");
  info.bounds = {0, 0, 100, 100};
  EXPECT_TRUE(mask_of("window = 'inbox'").hides_title(info));
  EXPECT_TRUE(mask_of("process = '^thunderbird$'").hides_title(info));
  EXPECT_FALSE(mask_of("process = '^mousepad$'").hides_title(info));
  EXPECT_FALSE(mask_of("process = '^thunderbird$'\nelement = 'x'").hides_title(info));
  EXPECT_FALSE(mask_of("passwords = true").hides_title(info));
  EXPECT_TRUE(mask_of("rect = [0, 0, 100, 50]").hides_title(info));
  EXPECT_FALSE(mask_of("rect = [0, 0, 100, 49]").hides_title(info));
  info.minimized = true;
  EXPECT_FALSE(mask_of("rect = [0, 0, 100, 100]").hides_title(info));
  EXPECT_TRUE(mask_of("window = 'inbox'").hides_title(info));
}

TEST(Masks, ElementsMatchByRoleAndNameOrAsPasswordFields) {
  Element cell;
  cell.role = "table cell";
  cell.name = "IBAN";
  Element field;
  field.states = {ElementState::kPassword};
  const Mask table = mask_of("role = '^table'\nelement = 'iban'");
  EXPECT_TRUE(table.covers(window_of("/usr/bin/any", "any")));
  EXPECT_TRUE(table.covers_element(cell));
  EXPECT_FALSE(table.covers_element(field));
  EXPECT_TRUE(mask_of("passwords = true").covers_element(field));
  EXPECT_FALSE(mask_of("passwords = true").covers_element(cell));
}

TEST(Masks, ErrorsNameFileLineAndColumn) {
  for (const auto& [lines, why] : {
           std::pair("rect = [0, 0, 10]", "m.toml:2:8: rect must be [x, y, width, height]"),
           std::pair("rect = [0, 0, 10, 1.5]", "rect must be four integers"),
           std::pair("rect = [0, 0, 10, 9999999999]", "rect must be four integers"),
           std::pair("rect = [0, 0, 0, 10]", "rect is empty"),
           std::pair("rect = [0, 0, 10, 10]\nwindow = 'x'", "rect cannot be combined"),
           std::pair("passwords = false", "passwords can only be true"),
           std::pair("passwords = true\nrole = 'x'", "cannot be combined with element or role"),
           std::pair("window = '('", "window: not a valid RE2 pattern"),
           std::pair("windows = 'x'", "m.toml:2:11: unknown key"),
           std::pair("", "the mask is empty"),
           std::pair("window = ", "m.toml:"),
       }) {
    const auto masks = Masks::parse(std::string("[[mask]]\n") + lines, "m.toml");
    ASSERT_FALSE(masks) << lines;
    EXPECT_EQ(masks.error().code, Code::kInvalidArgument);
    EXPECT_THAT(masks.error().message, HasSubstr(why));
  }
  EXPECT_FALSE(Masks::parse("mask = 1", "m.toml"));
  EXPECT_FALSE(Masks::parse("[[maks]]\npasswords = true", "m.toml"));
}

TEST(Masks, AnEmptyFileMasksNothing) { EXPECT_TRUE(Masks::parse("# nothing\n", "m.toml")->all().empty()); }

}  // namespace
}  // namespace da::actuator
