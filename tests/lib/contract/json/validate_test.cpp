#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "lib/contract/json/parse.h"

namespace da::contract {
namespace {

std::string problem(const v1::Action& action) {
  const auto valid = validate(action);
  return valid ? "" : valid.error().message;
}

TEST(Validate, ActionWithoutToolIsRefused) { EXPECT_EQ(problem({}), "the step names no tool"); }

TEST(Validate, NumbersOutOfBoundsAreRefused) {
  v1::Action action;
  action.mutable_mouse()->set_clicks(5);
  EXPECT_EQ(problem(action), "mouse.clicks is 5; allowed is from 1 up to 4");
  action.mutable_mouse()->set_clicks(0);
  EXPECT_NE(problem(action), "");
  action.mutable_mouse()->set_clicks(4);
  EXPECT_EQ(problem(action), "");
  action.mutable_sleep()->set_secs(5.01);
  EXPECT_EQ(problem(action), "sleep.secs is 5.01; allowed is from 0 up to 5");
  action.mutable_sleep()->set_secs(std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(problem(action), "");
}

TEST(Validate, UnknownFieldsAreRefusedAtEveryLevel) {
  v1::Action action;
  action.mutable_drag()->add_path()->set_x(1);
  action.mutable_drag()->add_path()->set_x(2);
  EXPECT_EQ(problem(action), "");
  v1::PathPoint& end = *action.mutable_drag()->mutable_path(1);
  end.GetReflection()->MutableUnknownFields(&end)->AddVarint(900, 1);
  EXPECT_EQ(problem(action), "drag.path[1] has unknown fields; update this program");
  action.mutable_write()->set_text("x");
  action.GetReflection()->MutableUnknownFields(&action)->AddVarint(900, 1);
  EXPECT_EQ(problem(action), "write has unknown fields; update this program");
}

TEST(Validate, UnknownKeyNamesAreRefused) {
  v1::Action action;
  action.mutable_press()->set_key("bogus");
  EXPECT_NE(problem(action).find("press.key is \"bogus\", which is no key"), std::string::npos);
  action.mutable_hotkey()->add_keys("ctrl");
  action.mutable_hotkey()->add_keys("S");
  EXPECT_EQ(problem(action), "");
}

TEST(Validate, ExactlyOneOfKeyAndKeys) {
  v1::Action action;
  action.mutable_press();
  EXPECT_EQ(problem(action), "press takes exactly one of key or keys, but none was given");
  action.mutable_press()->set_key("a");
  EXPECT_EQ(problem(action), "");
  action.mutable_press()->add_keys("b");
  EXPECT_EQ(problem(action), "press takes exactly one of key or keys, but both were given");
}

TEST(Validate, TextIsCountedInCharactersAndMustBeUtf8) {
  v1::Action action;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "漢";
  action.mutable_write()->set_text(text);
  EXPECT_EQ(problem(action), "");
  action.mutable_write()->set_text(text + "a");
  EXPECT_EQ(problem(action), "write.text has 20001 characters; at most 20000 are allowed");
  action.mutable_write()->set_text("");
  EXPECT_EQ(problem(action), "write.text is empty");
}

// Regression: the rules saw the whole path, but lstat stopped at the NUL.
TEST(Validate, NulIsRefusedInEveryText) {
  v1::Action action;
  action.mutable_file_delete()->set_path(std::string("/home/a/.bashrc\0.tmp", 20));
  EXPECT_EQ(problem(action), "file_delete.path has a NUL character");
  action.mutable_hotkey()->add_keys(std::string("\0", 1));
  EXPECT_EQ(problem(action), "hotkey.keys[0] has a NUL character");
}

TEST(Validate, DragNeedsTwoPoints) {
  v1::Action action;
  action.mutable_drag()->add_path();
  EXPECT_EQ(problem(action), "drag.path has 1 items; allowed are 2 to 100");
}

TEST(Validate, UnknownEnumValueIsRefused) {
  v1::Action action;
  action.mutable_mouse()->set_button(static_cast<v1::MouseButton>(77));
  EXPECT_NE(problem(action), "");
}

}  // namespace
}  // namespace da::contract
