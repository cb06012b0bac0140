#include "services/console/terminal/event_text.h"

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

TEST(EventLine, EveryFactButAnImageSaysSomething) {
  for (const auto* type : bus::all_facts()) {
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

TEST(EventLine, APauseSaysWhyWhoseAndHowToGoOn) {
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

TEST(EventLine, AnActuatorThatHearsNothingOfThePolicyGoesOnByItself) {
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

TEST(EventJson, IsOneLineThatJsonReadersTake) {
  v1::Plan plan;
  plan.add_steps()->set_justification("two\nlines \u202E \U0001F600");
  const std::string line = event_json(fact_of(plan));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  EXPECT_THAT(line, Not(HasSubstr("\u202E")));
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["topic"], "planner.plan");
  EXPECT_EQ(json["fact"]["steps"][0]["justification"], "two\nlines \u202E \U0001F600");
}

TEST(EventJson, LeavesTheBytesOfAnImageOut) {
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

// The dangerous end of a long text was cut off, and it was approved unseen.
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

// The planner could write escape sequences over the question of an approval by the name of a tool.
TEST(EventLine, ToolNamesAreForeignTextToo) {
  v1::StepAnswered answered;
  answered.set_tool("zoom\x1b[2J");
  EXPECT_THAT(event_line(fact_of(answered)), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace da::console
