// What the executor lets the person at the desktop see.
#include <gmock/gmock.h>

#include "lib/contract/named_action.h"
#include "services/actuator/actuator_rpc.h"
#include "tests/acted.h"
#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kMailSecret = "[[secret]]\nname = \"mail\"\nvalue = \"hunter2hunter2\"\n";

class ExecutorOverlayTest : public ExecutorTest {
 protected:
  ExecutorOverlayTest() : ExecutorTest(ScreenMask({}, *Secrets::parse(kMailSecret, "s.toml"))) {
    v1::HeartbeatRequest heartbeat;
    heartbeat.add_open_tasks()->set_task_id("task");
    overlay_.hear(heartbeat);
  }

  contract::SealedEvidence prepare(const v1::Action& action, const std::string& why, bool question) {
    v1::PrepareRequest request;
    *request.mutable_action() = action;
    request.set_task_id("task");
    request.set_step_id("step");
    request.set_justification(why);
    request.set_with_picture(question);
    auto evidence = shown_.prepare(request);
    EXPECT_TRUE(evidence) << evidence.error().message;
    return *std::move(evidence);
  }
  v1::Outcome act(const v1::Action& action, const std::string& why) {
    v1::ExecuteRequest request;
    *request.mutable_action() = action;
    *request.mutable_grant() = grant(prepare(action, why, false).evidence);
    return shown_.execute(request, [] { return false; });
  }
  void ask_about(const std::string& challenge) {
    v1::HeartbeatRequest heartbeat;
    heartbeat.add_open_tasks()->set_task_id("task");
    heartbeat.add_waiting_challenges(challenge);
    ActuatorRpc rpc(shared_, shown_, peers_, clock_, &overlay_);
    v1::HeartbeatReply reply;
    ASSERT_TRUE(rpc.Heartbeat(nullptr, &heartbeat, &reply).ok());
  }

  TaskOverlay overlay_{desktop_->overlay(), clock_};
  Executor shown_{shared_,
                  "fake:0",
                  *GrantCheck::create(policy_.public_key_hex()),
                  *ledger_,
                  stops_,
                  bus_,
                  clock_,
                  {.overlay = &overlay_}};
};

TEST_F(ExecutorOverlayTest, ShowsWhyAndWhereAStepActs) {
  ASSERT_TRUE(test::acted(act(write("a"), "writes the letter")));
  const auto due = overlay_.due();
  ASSERT_TRUE(due);
  EXPECT_EQ(due->justification, "writes the letter");
  EXPECT_EQ(due->approval_words, "");
  ASSERT_TRUE(due->marker);
  Rect field;
  world_->change([&](auto& windows) { field = windows.front().elements.front().bounds; });
  EXPECT_EQ(due->marker, field) << "the element with the focus";
}

TEST_F(ExecutorOverlayTest, ARefusedStepIsNotShown) {
  shown_.halt("smoke");
  EXPECT_EQ(act(write("a"), "writes the letter").kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(overlay_.due()->justification, "");
}

TEST_F(ExecutorOverlayTest, WordsAreThoseOfTheConsole) {
  const auto sealed = prepare(click(110, 120), "opens the menu", true);
  EXPECT_EQ(overlay_.due()->approval_words, "") << "nobody is asked yet";
  ask_about(sealed.evidence.challenge());
  // The console has the evidence from its bytes on the wire.
  const auto received = contract::unseal(sealed.bytes);
  ASSERT_TRUE(received);
  EXPECT_NE(received->evidence.approval_words(), "");
  EXPECT_EQ(overlay_.due()->approval_words, received->evidence.approval_words());
  EXPECT_EQ(overlay_.due()->question, contract::describe(click(110, 120), received->evidence));
  EXPECT_EQ(overlay_.due()->justification, "opens the menu");
}

TEST_F(ExecutorOverlayTest, StepWithoutAQuestionHasNoWords) {
  const auto sealed = prepare(click(110, 120), "opens the menu", false);
  ask_about(sealed.evidence.challenge());
  EXPECT_EQ(overlay_.due()->approval_words, "");
  EXPECT_EQ(sealed.evidence.approval_words(), "");
}

TEST_F(ExecutorOverlayTest, SecretsAndControlCharactersStayHidden) {
  act(write("a"), "types hunter2hunter2\x1b[2J for {{secret:mail}}");
  EXPECT_THAT(overlay_.due()->justification, Not(HasSubstr("hunter2")));
  EXPECT_THAT(overlay_.due()->justification, Not(HasSubstr("\x1b")));
  ask_about(prepare(click(110, 120), "types hunter2hunter2", true).evidence.challenge());
  clock_.advance(TaskOverlay::kStepStays + Milliseconds(1));
  EXPECT_NE(overlay_.due()->approval_words, "");
  EXPECT_THAT(overlay_.due()->justification, Not(HasSubstr("hunter2")));
}

TEST_F(ExecutorOverlayTest, LongJustificationIsCut) {
  act(write("a"), std::string(500, 'x'));
  EXPECT_EQ(overlay_.due()->justification.size(), kMaxOverlayJustification);
}

}  // namespace
}  // namespace da::actuator
