// Tasks with a provider's own computer tool.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/services/planner/model/model_task.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

ToolCall computer_call(const std::string& actions, std::vector<SafetyCheck> checks = {}) {
  return {"call-1", "computer", json::parse(actions), std::move(checks)};
}

class ComputerDialectTest : public ModelTask {
 protected:
  ComputerDialectTest() {
    dialect_ = computer_dialect(Vocabulary::kOpenAi);
    world_.open_window({"w", "Page"});
  }

  void calls(ToolCall call, std::string text = "") {
    Reply reply{.text = std::move(text), .model = "script-1"};
    reply.calls.push_back(std::move(call));
    reply.verbatim = json::array({{{"type", "computer_call"}}});
    model_.answers(std::move(reply));
  }

  const v1::Step& submitted(std::size_t n) { return policy_.submitted.at(n).step(); }
  const Message& newest(std::size_t n) { return model_.requests.at(n).messages.back(); }
};

TEST_F(ComputerDialectTest, OffersTheToolInTheSizeOfTheImageAndNoSchema) {
  model_.says("It was done before.");
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
  EXPECT_EQ(result.summary(), "It was done before.");
  const Request& request = model_.requests.at(0);
  ASSERT_TRUE(request.computer);
  EXPECT_EQ(request.computer->width, 640u);
  EXPECT_EQ(request.computer->height, 400u);
  EXPECT_TRUE(request.schema.is_null());
  EXPECT_TRUE(has(request.system, "call no tool"));
}

TEST_F(ComputerDialectTest, ActionsAreSubmittedInDesktopPixels) {
  calls(computer_call(R"([{"type":"click","button":"left","x":100,"y":50},{"type":"type","text":"hi"}])"),
        "Open the page.");
  model_.says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 2u);
  EXPECT_EQ(submitted(0).action().mouse().x(), 201);
  EXPECT_EQ(submitted(0).action().mouse().y(), 101);
  EXPECT_EQ(submitted(0).justification(), "Open the page.");
  EXPECT_TRUE(submitted(0).concerns().empty());
  EXPECT_EQ(submitted(1).action().write().text(), "hi");
  ASSERT_EQ(newest(1).results.size(), 1u);
  EXPECT_EQ(newest(1).results[0].call.id, "call-1");
  EXPECT_TRUE(newest(1).results[0].done);
  EXPECT_EQ(newest(1).images.size(), 1u);
  const Message& turn = model_.requests[1].messages[1];
  EXPECT_EQ(turn.calls.size(), 1u);
  EXPECT_TRUE(turn.verbatim.is_array());
}

TEST_F(ComputerDialectTest, ASafetyCheckIsAConcernOfEachStepOfItsCall) {
  calls(computer_call(R"([{"type":"click","button":"left","x":1,"y":1},{"type":"screenshot"}])",
                      {{"sc-1", "malicious_instructions", "The page tells the model what to do."}}));
  model_.says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 2u);
  for (std::size_t n = 0; n < 2; ++n) {
    ASSERT_EQ(submitted(n).concerns_size(), 1);
    EXPECT_EQ(submitted(n).concerns(0),
              "safety check of the model's provider (malicious_instructions): The page tells the model what to do.");
  }
}

TEST_F(ComputerDialectTest, LookWithASafetyCheckNeedsConfirmation) {
  calls(computer_call(R"([{"type":"screenshot"}])", {{"sc-1", "irrelevant_domain", ""}}));
  model_.says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).concerns(0), "safety check of the model's provider (irrelevant_domain)");
}

TEST_F(ComputerDialectTest, SafetyChecksOfAFailedCallAreNotAcknowledged) {
  policy_.intercept = [this](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
    if (policy_.submitted.size() > 1) return std::nullopt;
    return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_NOT_FOUND);
  };
  calls(computer_call(R"([{"type":"click","button":"left","x":1,"y":1}])", {{"sc-1", "doubt", ""}}));
  model_.says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(newest(1).results.size(), 1u);
  EXPECT_FALSE(newest(1).results[0].done);
}

TEST_F(ComputerDialectTest, MoreThanFourActionsAreCutAndTheModelIsTold) {
  calls(computer_call(
      R"([{"type":"screenshot"},{"type":"screenshot"},{"type":"screenshot"},{"type":"screenshot"},{"type":"type","text":"never"}])"));
  model_.says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_EQ(policy_.submitted.size(), 4u);
  EXPECT_TRUE(has(told(1), "5 steps were given; only the first 4 count")) << told(1);
  EXPECT_FALSE(newest(1).results.at(0).done);
}

TEST_F(ComputerDialectTest, UnknownActionIsReportedAndNoStepRuns) {
  calls(computer_call(R"([{"type":"type","text":"x"},{"type":"teleport"}])"));
  calls(computer_call(R"([{"type":"click","button":"left","x":640,"y":1}])"));
  model_.says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(policy_.submitted.empty());
  EXPECT_TRUE(has(told(1), "the action \"teleport\" is not possible here; known: click,")) << told(1);
  ASSERT_EQ(newest(1).results.size(), 1u) << "each call is answered";
  EXPECT_FALSE(newest(1).results[0].done);
  EXPECT_TRUE(has(told(2), "outside")) << told(2);
}

TEST_F(ComputerDialectTest, CancelledRepairLeavesNoCallUnanswered) {
  calls(computer_call(R"([{"type":"teleport"}])"));
  for (int i = 0; i < 2; ++i) calls(computer_call(R"([{"type":"teleport"}])"));
  const auto result = run();
  EXPECT_EQ(result.end(), v1::TASK_END_FAILED);
  EXPECT_TRUE(has(result.summary(), "3 in a row")) << result.summary();
}

TEST_F(ComputerDialectTest, MalformedCallIsReportedToTheModel) {
  model_.ends(Finish::kMalformed, "MALFORMED_FUNCTION_CALL");
  model_.says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(has(told(1), "its call could not be read: MALFORMED_FUNCTION_CALL")) << told(1);
}

TEST_F(ComputerDialectTest, EmptyReplyWastesATurn) {
  model_.says("").says(" \n").says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  EXPECT_TRUE(has(told(1), "the turn was wasted")) << told(1);
}

TEST_F(ComputerDialectTest, LongReasonIsCutBetweenCharacters) {
  std::string reason = "a";
  while (reason.size() < 2'000) reason += "\xe6\xbc\xa2";
  calls(computer_call(R"([{"type":"screenshot"}])"), reason);
  model_.says("Done.");
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  ASSERT_EQ(policy_.submitted.size(), 1u);
  EXPECT_EQ(submitted(0).justification().size(), 1'000u);
}

}  // namespace
}  // namespace da::planner::model
