// Malformed, hostile and valid replies in whole tasks.
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lib/contract/json/strict_json.h"
#include "services/planner/model/model_planner.h"
#include "tests/services/planner/model/kept_replies.h"
#include "tests/services/planner/model/model_task.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

constexpr char kGood[] =
    R"({"steps":[{"tool":"press","args":{"key":"f5"},"human_readable_justification":"Load it again."}],"done":null})";
constexpr std::string_view kRepair = "Your reply was not accepted, and nothing of it was carried out: ";
constexpr std::string_view kGaveUp = "the model's replies could not be used, 3 in a row; the last: ";

// The error in the n-th request, which must be a repair.
std::string told_error(const ScriptedModel& model, std::size_t n) {
  const std::string text = model.requests.at(n).messages.back().text;
  if (!text.starts_with(kRepair)) return "(no repair: " + text + ")";
  return text.substr(kRepair.size(), text.find('\n') - kRepair.size());
}

class RepliesTest : public ModelTask {
 protected:
  RepliesTest() {
    world_.open_window({"w", "Page"});
    world_.add({.id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8", .window_id = "w", .role = "push button", .name = "Save"});
  }

  // Answers three times with this malformed text, and returns the error that the model got.
  std::string error_of_three(const std::string& text) {
    model_.says(text).says(text).says(text);
    const auto result = run();
    EXPECT_EQ(result.end(), v1::TASK_END_FAILED);
    EXPECT_EQ(model_.requests.size(), 3u) << "told back once, and once more";
    if (model_.requests.size() != 3) return "(accepted)";
    const std::string error = told_error(model_, 1);
    EXPECT_EQ(told_error(model_, 2), error);
    // Long reasons are cut for people.
    EXPECT_TRUE(result.summary().starts_with(std::string(kGaveUp) + error.substr(0, 300))) << result.summary();
    expect_dialogue(text);
    expect_untouched();
    return error;
  }

  void expect_dialogue(const std::string& text) {
    const std::string shown = text.empty() ? "(nothing)" : text;
    const std::uint32_t budgets[] = {8192, 4096, 2048};
    for (std::size_t n = 0; n < 3; ++n) {
      const Request& request = model_.requests[n];
      EXPECT_EQ(request.max_output_tokens, budgets[n]);
      ASSERT_EQ(request.messages.size(), 2 * n + 1);
      EXPECT_EQ(request.messages[0].images.size(), 1u) << "what the model is to look at while it mends its reply";
      for (std::size_t i = 1; i < request.messages.size(); i += 2) {
        EXPECT_EQ(request.messages[i].from, Message::From::kModel);
        EXPECT_EQ(request.messages[i].text, shown);
        EXPECT_EQ(request.messages[i + 1].from, Message::From::kUser);
      }
    }
  }

  void expect_untouched() {
    EXPECT_TRUE(policy_.submitted.empty()) << "nothing is even asked for";
    EXPECT_TRUE(world_.performed.empty());
    EXPECT_TRUE(plans().empty()) << "nothing is proposed";
  }
};

class MalformedReply : public RepliesTest, public testing::WithParamInterface<KeptReply> {};

// The task goes on as usual after a repair.
TEST_P(MalformedReply, IsReportedTwiceAndNoStepRuns) {
  const std::string error = error_of_three(GetParam().text);
  EXPECT_TRUE(is_expected(GetParam(), error))
      << GetParam().file << "\n  is:       " << error << "\n  expected: " << GetParam().expected;
  model_.requests.clear();
  model_.says(GetParam().text).says(kGood).says(kDone);
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(world_.performed, std::vector<std::string>{"press key=\"f5\""});
  ASSERT_EQ(model_.requests.size(), 3u);
  EXPECT_EQ(model_.requests[1].max_output_tokens, 4096u);
  EXPECT_EQ(model_.requests[2].max_output_tokens, 8192u) << "the next turn may be as long as the first";
}

const auto kTestName = [](const testing::TestParamInfo<KeptReply>& reply) { return reply.param.test_name(); };

INSTANTIATE_TEST_SUITE_P(Kept, MalformedReply, testing::ValuesIn(kept_replies("malformed")), kTestName);

// protobuf's own JSON of the plan.
json as_json(v1::Plan plan) {
  plan.clear_frame_id();
  for (v1::Step& step : *plan.mutable_steps()) step.clear_frame_id();
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(plan, &text, options).ok());
  return json::parse(text);
}

class AcceptedReply : public RepliesTest, public testing::WithParamInterface<KeptReply> {};

TEST_P(AcceptedReply, IsProposedUnchangedInDesktopPixels) {
  json expected = json::parse(GetParam().expected);
  const std::string remark = expected.value("told", "");
  expected.erase("told");
  TaskView view(observer_, world_.clock, cancel_, "t1", "token", world_.clock.now() + std::chrono::seconds(600));
  Budget budget({});
  ModelCaller caller(model_, {}, budget, prices_, world_.clock, cancel_, [](v1::ModelCall&&) {});
  const auto dialect = steps_dialect({});
  ModelPlanner planner(kGoal, *dialect, caller, view, {});
  model_.says(GetParam().text).says(kDone);
  const auto seen = view.look(Picture::kUsual, kSettleWait);
  ASSERT_TRUE(seen);
  const auto plan = planner.decide(*seen, Attempt::kNext);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(as_json(*plan), expected);
  EXPECT_EQ(model_.requests.size(), 1u);
  for (const v1::Step& step : plan->steps()) planner.hear(step, {EventKind::kConfirmed, {}});
  ASSERT_TRUE(planner.decide(*seen, Attempt::kNext));
  EXPECT_EQ(told(1).find(kRepair), std::string::npos);
  EXPECT_NE(told(1).find("\n" + remark), std::string::npos) << told(1);
}

INSTANTIATE_TEST_SUITE_P(Kept, AcceptedReply, testing::ValuesIn(kept_replies("accepted")), kTestName);

TEST_F(RepliesTest, ReplyOverOneMebibyteIsRefused) {
  const std::string padding(contract::kMaxJsonBytes + 1 - sizeof kDone + 1, ' ');
  EXPECT_EQ(error_of_three(kDone + padding), "the reply has 1048577 bytes; at most 1048576 are read");
}

TEST_F(RepliesTest, ReplyOfOneMebibyteIsAccepted) {
  model_.says(kDone + std::string(contract::kMaxJsonBytes - sizeof kDone + 1, ' '));
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
}

TEST_F(RepliesTest, TruncatedReplyIsMalformed) {
  const std::string_view whole(kGood);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    SCOPED_TRACE(length);
    model_.requests.clear();
    EXPECT_TRUE(error_of_three(std::string(whole.substr(0, length))).starts_with("not one JSON object"));
  }
}

// A wrong byte at any position never makes another step; at most the step's text changes.
TEST_F(RepliesTest, CorruptByteNeverMakesAnotherStep) {
  const std::string whole =
      R"({"steps":[{"tool":"list_windows","args":{},"human_readable_justification":"Look."}],"done":null})";
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'\0', '"', '\\', ',', '}', ']', '0', 'e', '\x80', '\xff', '\n'}) {
      SCOPED_TRACE(std::to_string(at) + " " + std::to_string(byte));
      std::string broken = whole;
      broken[at] = byte;
      const auto parsed = contract::parse_steps(broken);
      if (!parsed) continue;
      EXPECT_LE(parsed->plan.steps_size(), 1);
      for (const v1::Step& step : parsed->plan.steps()) EXPECT_TRUE(step.action().has_list_windows());
      EXPECT_FALSE(parsed->plan.has_done());
    }
  }
}

TEST_F(RepliesTest, ReplyCutByTheTokenLimitIsMalformed) {
  for (int i = 0; i < 3; ++i) model_.ends(Finish::kLength, "max_tokens", kGood);
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED);
  EXPECT_EQ(told_error(model_, 1), "it was cut off, because it was too long");
  expect_untouched();
}

TEST_F(RepliesTest, ThereAreEnoughKeptReplies) {
  EXPECT_GE(kept_replies("malformed").size(), 150u);
  EXPECT_GE(kept_replies("accepted").size(), 24u);
}

}  // namespace
}  // namespace da::planner::model
