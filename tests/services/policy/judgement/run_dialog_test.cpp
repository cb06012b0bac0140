#include "services/policy/judgement/run_dialog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MATCHER_P(Started, text, "") { return arg.started && arg.text == text; }
MATCHER_P(Standing, text, "") { return !arg.started && arg.text == text; }

TEST(RunDialog, OpensTypesAndStartsOverSeveralSteps) {
  RunDialog dialog;
  EXPECT_THAT(follow(dialog, test::write("text")), IsEmpty());
  EXPECT_THAT(follow(dialog, test::hotkey({"R", "super"})), IsEmpty());
  EXPECT_THAT(follow(dialog, test::write("xtq")), ElementsAre(Standing("xtq")));
  EXPECT_THAT(follow(dialog, test::press({"backspace", "e"})), ElementsAre(Standing("xte")));
  EXPECT_THAT(follow(dialog, test::write("rm\n")), ElementsAre(Started("xterm")));
  EXPECT_FALSE(dialog.open);
  EXPECT_THAT(follow(dialog, test::press({"enter"})), IsEmpty());
}

TEST(RunDialog, OneStepMayOpenTypeAndStart) {
  RunDialog dialog;
  EXPECT_THAT(follow(dialog, test::press({"a", "win", "b", "c", "enter"})), ElementsAre(Started("bc")));
  EXPECT_THAT(follow(dialog, test::press({"alt", "f2", "b", "esc", "c"})), ElementsAre(Standing("b")));
  EXPECT_FALSE(dialog.open);
  EXPECT_THAT(follow(dialog, test::press({"win"})), IsEmpty());
  EXPECT_THAT(follow(dialog, test::write("a\nb\n")), ElementsAre(Started("a"), Started("b")));
}

TEST(RunDialog, EnterStartsACommandOfUnknownText) {
  RunDialog dialog;
  follow(dialog, test::hotkey({"alt", "f2", "shift"}));
  EXPECT_THAT(follow(dialog, test::hotkey({"ctrl", "v"})), IsEmpty());
  EXPECT_THAT(follow(dialog, test::hotkey({"ctrl", "enter"})), ElementsAre(Started("")));
}

TEST(RunDialog, CommandIsAtMost4000Bytes) {
  RunDialog dialog{.open = true};
  for (int i = 0; i < 100; ++i) follow(dialog, test::write(std::string(1'000, 'x')));
  EXPECT_LE(dialog.command.size(), 4'000U);
}

}  // namespace
}  // namespace da::policy
