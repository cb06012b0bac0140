#include "services/console/terminal/stream/event_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "da/v1/observation.pb.h"
#include "da/v1/pause.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/task.pb.h"
#include "lib/bus/topics.h"

namespace da::console {
namespace {

using testing::HasSubstr;
using testing::Not;

template <class T>
bus::Fact fact_of(const T& message) {
  bus::Fact fact{.topic = bus::topic_name<T>(), .message = std::make_unique<T>(message)};
  return fact;
}

TEST(EventLine, ShowsForeignTextEscaped) {
  v1::Observation seen;
  seen.mutable_focused_window()->set_title("bank\x1b[2J\u202Etxt.exe");
  const std::string line = event_line(fact_of(seen));
  EXPECT_THAT(line, HasSubstr("bank\\x1b[2J\\u{202e}txt.exe"));
  EXPECT_THAT(line, Not(HasSubstr("\x1b")));
}

TEST(EventLine, EveryShownFactButAnImageSaysSomething) {
  for (const auto* type : bus::all_facts()) {
    if (bus::topic_of(*type)->record()) continue;
    const auto* prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(type);
    bus::Fact fact{.topic = bus::topic_of(*type)->name(),
                   .message = std::unique_ptr<google::protobuf::Message>(prototype->New())};
    const bool silent = type == v1::ImageFact::descriptor() || type == v1::TaskEnded::descriptor();
    EXPECT_EQ(event_line(fact).empty(), silent) << type->full_name();
  }
}

TEST(EventLine, AQuestionAndItsReplyAreQuotedAndEscaped) {
  v1::UserQuestion question;
  question.set_question_id("k7m2p");
  question.set_question("Sure?\" by ada\x1b[2J");
  EXPECT_THAT(event_line(fact_of(question)), HasSubstr("k7m2p  \"Sure?\\\" by ada\\x1b[2J\""));
  v1::UserAnswer reply;
  reply.set_question_id("k7m2p");
  EXPECT_THAT(event_line(fact_of(reply)), HasSubstr("k7m2p  nobody answered"));
  reply.set_answered(true);
  reply.set_answer("\u202Eno");
  reply.set_by("ada@console");
  EXPECT_THAT(event_line(fact_of(reply)), HasSubstr("k7m2p  \"\\u{202e}no\" by ada@console"));
}

TEST(EventLine, AStepWithoutACallIsShownByItsReason) {
  v1::Plan plan;
  plan.add_steps()->set_justification("sentence 1 of 1: double-click \"X\"");
  const std::string line = event_line(fact_of(plan));
  EXPECT_THAT(line, HasSubstr("no call yet"));
  EXPECT_THAT(line, HasSubstr("double-click"));
}

TEST(EventLine, SaysHowManyFactsWereLost) {
  bus::Fact fact = fact_of(v1::TaskStateChanged());
  fact.lost_before = 3;
  EXPECT_THAT(event_line(fact), HasSubstr("3 facts of planner.state"));
}

TEST(EventLine, PauseHasReasonPersonAndResumeCommand) {
  v1::PolicyPause fact;
  fact.set_paused(true);
  fact.set_by("ada\x1b@console");
  fact.mutable_pause()->set_cause(v1::Pause::CAUSE_CONSOLE);
  fact.mutable_pause()->set_reason("lunch");
  const std::string line = event_line(fact_of(fact));
  EXPECT_THAT(line, HasSubstr("PAUSED"));
  EXPECT_THAT(line, HasSubstr("lunch"));
  EXPECT_THAT(line, HasSubstr("by ada\\x1b@console"));
  EXPECT_THAT(line, HasSubstr("da-console resume"));
  fact.mutable_pause()->set_cause(v1::Pause::CAUSE_SESSION_LOCKED);
  EXPECT_THAT(event_line(fact_of(fact)), HasSubstr("unlock it, then resume with: da-console resume"));
  fact.set_paused(false);
  EXPECT_THAT(event_line(fact_of(fact)), Not(HasSubstr("da-console resume")));
}

TEST(EventLine, PauseOfASilentPolicyEndsByItself) {
  v1::ActuatorPause fact;
  fact.set_paused(true);
  fact.mutable_pause()->set_cause(v1::Pause::CAUSE_POLICY_SILENT);
  EXPECT_THAT(event_line(fact_of(fact)), HasSubstr("goes on by itself"));
}

TEST(EventLine, NamesOutcomesInWords) {
  v1::Outcome outcome;
  outcome.set_kind(v1::Outcome::KIND_NO_EFFECT);
  outcome.set_tool("paste");
  EXPECT_THAT(event_line(fact_of(outcome)), HasSubstr("no effect  paste"));
}

TEST(EventJson, IsValidJsonOnOneLine) {
  v1::Plan plan;
  plan.add_steps()->set_justification("two\nlines \u202E \U0001F600");
  const std::string line = event_json(fact_of(plan));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  EXPECT_THAT(line, Not(HasSubstr("\u202E")));
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["topic"], "planner.plan");
  EXPECT_EQ(json["fact"]["steps"][0]["justification"], "two\nlines \u202E \U0001F600");
}

TEST(EventJson, OmitsImageBytes) {
  v1::ImageFact image;
  image.set_image_hash("abc");
  image.set_data(std::string(1 << 20, 'x'));
  const std::string line = event_json(fact_of(image));
  EXPECT_LT(line.size(), 500U);
  EXPECT_THAT(line, HasSubstr("abc"));
}

TEST(ApprovalText, ShowsWhatIsApprovedAndMarksWhatIsUntrusted) {
  v1::ApprovalRequest request;
  request.set_approval_id("k7m2p");
  request.set_action_text("file_delete path=\"/home/a/b\"");
  request.set_reason("deletes a file");
  request.set_risk(v1::RISK_CRITICAL);
  request.mutable_evidence()->set_canonical_path("/home/a/b");
  request.mutable_evidence()->mutable_foreground()->set_title("evil\r\nrisk: safe");
  request.mutable_step()->set_justification("harmless");
  request.set_expires_wall_ns(90'000'000'000);
  const std::string text = approval_text(request, "", WallTime(Nanoseconds(30'000'000'000)));
  EXPECT_THAT(text, HasSubstr("approval k7m2p: file_delete"));
  EXPECT_THAT(text, HasSubstr("critical"));
  EXPECT_THAT(text, HasSubstr("evil\\r\\nrisk: safe"));
  EXPECT_THAT(text, HasSubstr("(untrusted): harmless"));
  EXPECT_THAT(text, HasSubstr("expires in 60 s"));
}

TEST(ApprovalText, SaysWhichEarlierStepsAreNotProven) {
  v1::ApprovalRequest request;
  EXPECT_THAT(approval_text(request, "", WallTime()), Not(HasSubstr("proven")));
  request.set_unproven_steps(1);
  request.set_last_unproven("press key=\"f5\" (nothing changed within 1 s)");
  EXPECT_THAT(approval_text(request, "", WallTime()),
              HasSubstr("before:   1 step is not proven: press key=\"f5\" (nothing changed within 1 s)\n"));
  request.set_unproven_steps(3);
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("before:   3 steps are not proven, last: press"));
}

TEST(ApprovalText, SaysHowLargeAFileIsThatIsToBeDeleted) {
  v1::ApprovalRequest request;
  request.mutable_evidence()->set_canonical_path("/home/a/b");
  EXPECT_THAT(approval_text(request, "", WallTime()), Not(HasSubstr("size:")));
  request.mutable_evidence()->set_file_size(0);
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("path:     /home/a/b\n  size:     0 bytes\n"));
}

TEST(ApprovalText, SaysWhichEndOfADragHasWhichColour) {
  v1::ApprovalRequest request;
  EXPECT_THAT(approval_text(request, "a.png", WallTime()), HasSubstr("picture:  a.png\n"));
  request.mutable_step()->mutable_action()->mutable_drag();
  EXPECT_THAT(approval_text(request, "a.png", WallTime()), HasSubstr("a.png (red: where the drag begins, blue: "));
}

// Bug: the dangerous end of a long text was cut off, and people approved it unseen.
TEST(ApprovalText, DoesNotHideTheEndOfALongText) {
  v1::ApprovalRequest request;
  request.mutable_step()->mutable_action()->mutable_write()->set_text(std::string(1000, 'a') + "; rm -rf ~\n");
  request.set_action_text("write text=\"aaa...");
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("; rm -rf ~\\n"));
  request.mutable_step()->mutable_action()->mutable_write()->set_text(std::string(20'000, 'a') + "; rm -rf ~\n");
  const std::string text = approval_text(request, "", WallTime());
  EXPECT_THAT(text, HasSubstr("; rm -rf ~\\n"));
  EXPECT_THAT(text, HasSubstr("CHARACTERS ARE NOT SHOWN"));
  EXPECT_LT(text.size(), 6000U);
}

TEST(ApprovalText, ShowsWhereTheWordsOfACommandEnd) {
  v1::ApprovalRequest request;
  for (const char* word : {"rm", "/home/a/x /home/a/y", "\"", ""}) request.mutable_evidence()->add_argv(word);
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("rm \"/home/a/x /home/a/y\" \"\\\"\" \"\""));
}

// Bug: the line was "approval  expired by ".
TEST(EventLine, AnApprovalThatNobodyAnsweredHasNoApprover) {
  v1::ApprovalDecision decision;
  decision.set_approval_id("k7m2p");
  decision.set_answer(v1::ApprovalDecision::ANSWER_EXPIRED);
  EXPECT_EQ(event_line(fact_of(decision)), "approval  k7m2p expired: nobody answered in time");
  decision.set_answer(v1::ApprovalDecision::ANSWER_WITHDRAWN);
  decision.set_reason("halted");
  EXPECT_EQ(event_line(fact_of(decision)), "approval  k7m2p withdrawn (halted)");
  decision.set_answer(v1::ApprovalDecision::ANSWER_DENIED);
  decision.set_approver("ada\x1b");
  EXPECT_EQ(event_line(fact_of(decision)), "approval  k7m2p denied by ada\\x1b (halted)");
}

// Bug: the line was "answer  does not hold  sleep (cancelled while waiting)".
TEST(EventLine, AnAnswerSaysWhetherTheStepFailed) {
  v1::StepAnswered answered;
  answered.set_tool("sleep");
  answered.set_message("it was cancelled");
  EXPECT_EQ(event_line(fact_of(answered)), "answer    sleep failed: it was cancelled");
  answered.set_ok(true);
  answered.set_message("waited");
  EXPECT_EQ(event_line(fact_of(answered), "sleep secs=1"), "answer    sleep secs=1: waited");
}

TEST(EventLine, AnOutcomeNamesItsStepWhereThatIsKnown) {
  v1::Outcome outcome;
  outcome.set_kind(v1::Outcome::KIND_CONFIRMED);
  outcome.set_tool("ui_click");
  EXPECT_EQ(event_line(fact_of(outcome)), "outcome   confirmed  ui_click");
  EXPECT_EQ(event_line(fact_of(outcome), "click toggle button \"7\" in galculator"),
            "outcome   confirmed  click toggle button \"7\" in galculator");
}

// Bug: the prompt showed only ui_click element_id="6f1c...".
TEST(ApprovalText, BeginsWithTheNamesThatTheEvidenceHasAndShowsTheCallToo) {
  v1::ApprovalRequest request;
  request.set_approval_id("k7m2p");
  request.mutable_step()->mutable_action()->mutable_ui_click()->set_element_id("6f1c");
  request.mutable_step()->set_target("push button \"OK\" in bank");
  auto& evidence = *request.mutable_evidence();
  evidence.mutable_target_element()->set_role("toggle button");
  evidence.mutable_target_element()->set_name("7");
  evidence.mutable_target_window()->set_executable("/usr/bin/galculator");
  const std::string text = approval_text(request, "", WallTime());
  EXPECT_THAT(text, HasSubstr("approval k7m2p: click toggle button \"7\" in galculator\n"));
  EXPECT_THAT(text, HasSubstr("  call:     ui_click element_id=\"6f1c\"\n"));
  EXPECT_THAT(text, Not(HasSubstr("bank")));
}

// Bug: the prompt did not say whether a click checks or unchecks.
TEST(ApprovalText, SaysTheStateOfWhatIsClicked) {
  v1::ApprovalRequest request;
  auto& element = *request.mutable_evidence()->mutable_target_element();
  element.set_role("check box");
  element.set_name("Encrypt");
  element.add_states(v1::UI_STATE_ENABLED);
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("element:  check box \"Encrypt\", now off\n"));
  element.add_states(v1::UI_STATE_CHECKED);
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("element:  check box \"Encrypt\", now on\n"));
  element.clear_states();
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("\"Encrypt\", now off, disabled\n"));
  element.set_role("push button");
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("push button \"Encrypt\", now disabled\n"));
  element.add_states(v1::UI_STATE_ENABLED);
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("push button \"Encrypt\"\n"));
}

TEST(ApprovalText, SaysThatTheEndOfANameIsNotKnown) {
  v1::ApprovalRequest request;
  auto& element = *request.mutable_evidence()->mutable_target_element();
  element.set_role("push button");
  element.add_states(v1::UI_STATE_ENABLED);
  element.set_name(std::string(2000, 'a'));
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("aaa\" (CUT: its end is not known)\n"));
}

TEST(ApprovalText, NoNameOfAnElementLooksLikeAState) {
  v1::ApprovalRequest request;
  auto& element = *request.mutable_evidence()->mutable_target_element();
  element.set_role("check box");
  element.set_name("Encrypt\", now on");
  element.add_states(v1::UI_STATE_ENABLED);
  EXPECT_THAT(approval_text(request, "", WallTime()), HasSubstr("check box \"Encrypt\\\", now on\", now off\n"));
}

// Bug: the JSON had the bytes of the picture, but not its path.
TEST(ApprovalJson, HasThePathOfThePictureInsteadOfItsBytes) {
  v1::ApprovalRequest request;
  request.set_approval_id("k7m2p");
  request.mutable_evidence()->set_picture_png(std::string(100'000, 'x'));
  const auto json = nlohmann::json::parse(approval_json(request, "/run/a \"b\".png"));
  EXPECT_EQ(json["picture"], "/run/a \"b\".png");
  EXPECT_FALSE(json["evidence"].contains("picture_png"));
  EXPECT_FALSE(nlohmann::json::parse(approval_json(request, "")).contains("picture"));
  EXPECT_EQ(nlohmann::json::parse(approval_json(v1::ApprovalRequest(), "/x"))["picture"], "/x");
}

// Bug: through a tool's name, the planner could write escape sequences over an approval's prompt.
TEST(EventLine, ToolNamesAreForeignTextToo) {
  v1::StepAnswered answered;
  answered.set_tool("zoom\x1b[2J");
  EXPECT_THAT(event_line(fact_of(answered)), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace da::console
