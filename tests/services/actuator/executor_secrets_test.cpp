// What the executor does with {{secret:name}}.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "services/actuator/actuator_rpc.h"
#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSecrets =
    "[[secret]]\nname = \"mail\"\nvalue = \"hunter2hunter2\"\n"
    "[[secret]]\nname = \"token\"\nvalue = \"tok-12345678\"\nexecutables = \"notes\"\nelements = '^Text$'\n";

class ExecutorSecretsTest : public ExecutorTest {
 protected:
  ExecutorSecretsTest() : ExecutorTest(ScreenMask({}, *Secrets::parse(kSecrets, "s.toml"))) {}

  // A log-in window in front, with the focus in its password field.
  void open_login() {
    const std::string window = world_->open_window("Log in", "/usr/bin/login", {700, 100, 300, 200});
    world_->add_element(window, {.role = "password text",
                                 .name = "Password",
                                 .bounds = {720, 150, 200, 20},
                                 .editable = true,
                                 .password = true});
    world_->change([](auto& windows) { windows.front().focused_element = windows.front().elements.front().id; });
  }
  v1::UiTree tree(const std::string& task) {
    ActuatorRpc rpc(shared_, executor_, clock_);
    v1::UiTreeRequest request;
    request.set_task_id(task);
    v1::UiTree reply;
    EXPECT_TRUE(rpc.ReadUiTree(nullptr, &request, &reply).ok());
    return reply;
  }
  static v1::Action paste(const std::string& text) {
    v1::Action action;
    action.mutable_paste()->set_text(text);
    return action;
  }
  static v1::Action hotkey(const std::vector<std::string>& keys) {
    v1::Action action;
    for (const auto& key : keys) action.mutable_hotkey()->add_keys(key);
    return action;
  }
};

TEST_F(ExecutorSecretsTest, AreTypedIntoAPasswordFieldAndAppearNowhereElse) {
  open_login();
  const auto action = write("{{secret:mail}}");
  const auto evidence = prepare(action);
  EXPECT_EQ(evidence.problem(), "");
  const auto outcome = execute(action, grant(evidence));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED) << outcome.message();
  EXPECT_EQ(world_->text_of("Password"), "hunter2hunter2");
  EXPECT_EQ(outcome.done(), 15U);  // Of the placeholder.
  EXPECT_EQ(outcome.total(), 15U);
  std::ifstream ledger(directory_ / "ledger");
  std::stringstream everything;
  everything << ledger.rdbuf() << evidence.SerializeAsString() << outcome.SerializeAsString()
             << prepare(action).SerializeAsString() << tree("task").SerializeAsString();
  EXPECT_GT(everything.str().size(), 500U);
  EXPECT_THAT(everything.str(), Not(HasSubstr("hunter2")));
}

TEST_F(ExecutorSecretsTest, AreNotTypedWhereTheyAreNotFor) {
  const auto evidence = prepare(write("{{secret:mail}}"));  // The focus is in an ordinary field.
  EXPECT_EQ(evidence.problem_code(), v1::Outcome::CODE_INVALID);
  EXPECT_THAT(evidence.problem(), HasSubstr("only into password fields"));
  EXPECT_EQ(execute(write("{{secret:mail}}"), grant(evidence)).kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(world_->text_of("Text"), "");
  open_login();
  EXPECT_THAT(prepare(write("{{secret:token}}")).problem(), HasSubstr("not into this program"));
}

TEST_F(ExecutorSecretsTest, ThePlaceAllowedIsLookedAtAgainJustBeforeTheAct) {
  open_login();
  const auto action = write("{{secret:mail}}");
  const auto permission = grant(prepare(action));
  world_->change([](auto& windows) { windows.front().elements.front().password = false; });
  EXPECT_EQ(execute(action, permission).kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(world_->text_of("Password"), "");
}

TEST_F(ExecutorSecretsTest, UnknownAndMalformedOnesAreRefusedBeforeAnybodyIsAsked) {
  open_login();
  EXPECT_THAT(prepare(write("{{secret:other}}")).problem(), HasSubstr("no secret \"other\""));
  EXPECT_THAT(prepare(write("{{ secret:mail }}")).problem(), HasSubstr("{{secret:name}}"));
  EXPECT_EQ(run(write("{{secret:mail")).code(), v1::Outcome::CODE_INVALID);
  EXPECT_EQ(world_->text_of("Password"), "");
}

TEST_F(ExecutorSecretsTest, NoOtherToolTakesOne) {
  open_login();
  EXPECT_EQ(prepare(paste("{{secret:mail}}")).problem_code(), v1::Outcome::CODE_UNSUPPORTED);
  EXPECT_EQ(run(paste("{{secret:mail}}")).kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(world_->clipboard(), "");
  v1::Action launch;
  launch.mutable_launch()->set_command("notes {{secret:mail}}");
  EXPECT_EQ(prepare(launch).problem_code(), v1::Outcome::CODE_UNSUPPORTED);
}

TEST_F(ExecutorSecretsTest, TypingStopsWhenTheFocusLeavesTheFieldWithinItsWindow) {
  const auto action = write("{{secret:token}}" + std::string(1000, 'x'));
  v1::ExecuteRequest request;
  *request.mutable_action() = action;
  *request.mutable_grant() = grant(prepare(action));
  int asked = 0;
  const auto outcome = executor_.execute(request, [&] {
    if (++asked == 3) {
      world_->change([](auto& windows) { windows.front().focused_element = windows.front().elements[1].id; });
    }
    return false;
  });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(world_->text_of("Name"), "");
  EXPECT_EQ(outcome.done(), 4 + world_->text_of("Text").size());  // {{secret:token}} is longer than its value.
}

TEST_F(ExecutorSecretsTest, AFieldIsHiddenAfterwardsWhateverTaskIsNamed) {
  EXPECT_EQ(run(write("{{secret:token}}")).kind(), v1::Outcome::KIND_DISPATCHED);
  ASSERT_EQ(world_->text_of("Text"), "tok-12345678");
  for (const char* task : {"task", "another"}) {
    EXPECT_THAT(tree(task).SerializeAsString(), Not(HasSubstr("tok-12345678")));
    EXPECT_THAT(prepare(write("x"), task).SerializeAsString(), Not(HasSubstr("tok-12345678")));
  }
}

TEST_F(ExecutorSecretsTest, WhatIsTypedByHalvesIsHiddenToo) {
  const auto action = write("{{secret:token}}");
  v1::ExecuteRequest request;
  *request.mutable_action() = action;
  *request.mutable_grant() = grant(prepare(action));
  executor_.execute(request, [] { return true; });
  EXPECT_FALSE(shared_.mask.fields().empty());
}

TEST_F(ExecutorSecretsTest, AnOrdinaryFieldThatHoldsOneIsNotCopiedFrom) {
  EXPECT_EQ(prepare(hotkey({"ctrl", "c"})).problem(), "");
  ASSERT_EQ(run(write("{{secret:token}}")).kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_EQ(prepare(hotkey({"ctrl", "c"})).problem_code(), v1::Outcome::CODE_UNSUPPORTED);
  v1::Action twice = click(100, 200);  // Within "Text".
  EXPECT_EQ(prepare(twice).problem(), "");
  twice.mutable_mouse()->set_clicks(2);
  EXPECT_EQ(prepare(twice).problem_code(), v1::Outcome::CODE_UNSUPPORTED);
  v1::Action middle = click(1000, 700);
  middle.mutable_mouse()->set_button(v1::MOUSE_BUTTON_MIDDLE);
  EXPECT_EQ(prepare(middle).problem_code(), v1::Outcome::CODE_UNSUPPORTED);
  v1::Action press;
  press.mutable_press()->set_key("tab");
  EXPECT_EQ(prepare(press).problem(), "");
}

TEST_F(ExecutorSecretsTest, ThePictureForAPersonIsMaskedAndComesOnlyOnDemand) {
  v1::PrepareRequest request;
  *request.mutable_action() = write("x");
  request.set_task_id("task");
  EXPECT_EQ(executor_.prepare(request)->picture_png(), "");
  request.set_with_picture(true);
  const auto before = executor_.prepare(request)->picture_png();
  EXPECT_THAT(before, HasSubstr("PNG"));
  ASSERT_EQ(run(write("{{secret:token}}")).kind(), v1::Outcome::KIND_DISPATCHED);
  const auto with_secret = executor_.prepare(request)->picture_png();
  EXPECT_NE(with_secret, before);
  world_->change([](auto& windows) { windows.front().elements.front().text = "something else"; });
  EXPECT_EQ(executor_.prepare(request)->picture_png(), with_secret);  // Black, whatever stands there.
}

}  // namespace
}  // namespace da::actuator
