#include "services/actuator/masks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::actuator {
namespace {

using testing::HasSubstr;

Mask one(const std::string& lines) {
  auto masks = Masks::parse("[[mask]]\n" + lines, "m.toml");
  EXPECT_TRUE(masks) << masks.error().message;
  return masks->all().at(0);
}

WindowInfo window(const std::string& executable, const std::string& title) {
  WindowInfo info;
  info.pid = executable.empty() ? 0 : 1;
  info.executable = executable;
  info.title = title;
  return info;
}

TEST(Masks, ARectangleMayLieAtNegativeCoordinates) {
  EXPECT_EQ(one("rect = [-1920, 0, 100, 50]").rect, (Rect{-1920, 0, 100, 50}));
}

TEST(Masks, AWindowIsKnownByTitleAndProcess) {
  const Mask mask = one("window = 'inbox'\nprocess = '^thunderbird$'");
  EXPECT_TRUE(mask.whole_window());
  EXPECT_TRUE(mask.covers(window("/usr/bin/thunderbird", "Inbox - Mail")));
  EXPECT_FALSE(mask.covers(window("/usr/bin/mousepad", "Inbox - Mail")));
  EXPECT_FALSE(mask.covers(window("/usr/bin/thunderbird", "Drafts")));
}

// A window that named no process, or another one's, escaped the masks of its program.
TEST(Masks, AWindowWhoseProgramIsUnknownIsTakenForOneOfEachProgram) {
  const Mask mask = one("window = 'inbox'\nprocess = '^thunderbird$'");
  EXPECT_TRUE(mask.covers(window("", "Inbox - Mail")));
  EXPECT_FALSE(mask.covers(window("", "Drafts")));
  EXPECT_TRUE(one("process = '^thunderbird$'").covers(window("", "any")));
  WindowInfo unreadable = window("", "any");
  unreadable.pid = 7;
  EXPECT_TRUE(one("process = '^thunderbird$'").covers(unreadable));
}

TEST(Masks, ATitleIsHiddenWhereTheWindowIsCoveredWholeOrByHalf) {
  WindowInfo info = window("/usr/bin/thunderbird", "Inbox");
  info.bounds = {0, 0, 100, 100};
  EXPECT_TRUE(one("window = 'inbox'").hides_title(info));
  EXPECT_TRUE(one("process = '^thunderbird$'").hides_title(info));
  EXPECT_FALSE(one("process = '^mousepad$'").hides_title(info));
  EXPECT_FALSE(one("process = '^thunderbird$'\nelement = 'x'").hides_title(info));
  EXPECT_FALSE(one("passwords = true").hides_title(info));
  EXPECT_TRUE(one("rect = [0, 0, 100, 50]").hides_title(info));
  EXPECT_FALSE(one("rect = [0, 0, 100, 49]").hides_title(info));
  info.minimized = true;
  EXPECT_FALSE(one("rect = [0, 0, 100, 100]").hides_title(info));
  EXPECT_TRUE(one("window = 'inbox'").hides_title(info));
}

TEST(Masks, ElementsAreKnownByRoleAndNameOrAsPasswordFields) {
  Element cell;
  cell.role = "table cell";
  cell.name = "IBAN";
  Element field;
  field.states = {ElementState::kPassword};
  const Mask table = one("role = '^table'\nelement = 'iban'");
  EXPECT_TRUE(table.covers(window("/usr/bin/any", "any")));
  EXPECT_TRUE(table.covers_element(cell));
  EXPECT_FALSE(table.covers_element(field));
  EXPECT_TRUE(one("passwords = true").covers_element(field));
  EXPECT_FALSE(one("passwords = true").covers_element(cell));
}

TEST(Masks, WhatIsWrongIsSaidWithItsPlace) {
  for (const auto& [lines, why] : {
           std::pair("rect = [0, 0, 10]", "m.toml:2:8: rect must be [x, y, width, height]"),
           std::pair("rect = [0, 0, 10, 1.5]", "rect must be four integers"),
           std::pair("rect = [0, 0, 10, 9999999999]", "rect must be four integers"),
           std::pair("rect = [0, 0, 0, 10]", "rect is empty"),
           std::pair("rect = [0, 0, 10, 10]\nwindow = 'x'", "rect stands alone"),
           std::pair("passwords = false", "passwords can only be true"),
           std::pair("passwords = true\nrole = 'x'", "leave element and role out"),
           std::pair("window = '('", "window: not a valid RE2 pattern"),
           std::pair("windows = 'x'", "m.toml:2:11: unknown key"),
           std::pair("", "covers nothing"),
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
