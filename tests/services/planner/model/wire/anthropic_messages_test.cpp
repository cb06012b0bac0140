#include "services/planner/model/wire/anthropic_messages.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/services/planner/model/examples.h"
#include "tests/services/planner/model/golden.h"

namespace da::planner::model {
namespace {

AnthropicMessages anthropic_format() {
  return AnthropicMessages(
      {.api = Api::kAnthropicMessages, .base_url = "https://api.anthropic.com", .model = "claude-sonnet-4-5"});
}

// Reads an answer without content, with this stop reason; `further` are fields of the whole answer.
Result<Reply> read_stopped(const std::string& reason, const std::string& further = "") {
  return anthropic_format().read(200,
                                 R"({"type":"message","content":[],"stop_reason":")" + reason + '"' + further + "}");
}

TEST(AnthropicMessages, BodyMatchesGolden) {
  const HttpRequest http = anthropic_format().build(example_request());
  EXPECT_EQ(http.url, "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(http.headers, (Headers{{"Content-Type", "application/json"},
                                   {"Accept", "application/json"},
                                   {"anthropic-version", "2023-06-01"}}));
  expect_golden("anthropic_messages", http.body);
}

TEST(AnthropicMessages, OmitsUnusedFields) {
  Request request = example_request();
  request.system.clear();
  request.schema = nullptr;
  const auto body = nlohmann::json::parse(anthropic_format().build(request).body);
  EXPECT_FALSE(body.contains("system"));
  EXPECT_FALSE(body.contains("output_config"));
}

// The provider answers 400 to an empty text, and a model's reply may be empty.
TEST(AnthropicMessages, NoMessageIsEmpty) {
  Request request = example_request();
  request.messages[1].text.clear();
  request.messages[2].text.clear();
  const auto body = nlohmann::json::parse(anthropic_format().build(request).body);
  EXPECT_EQ(body["messages"][1]["content"], "(no text)");
  EXPECT_EQ(body["messages"][2]["content"][0]["type"], "image");
}

TEST(AnthropicMessages, KeyHasItsOwnHeader) {
  EXPECT_EQ(anthropic_format().key_header("sk-1"), std::make_pair(std::string("x-api-key"), std::string("sk-1")));
}

TEST(AnthropicMessages, JoinsTheTextAndLeavesOutThinking) {
  const auto reply = anthropic_format().read(200, kAnthropicMessagesAnswer);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kComplete);
  EXPECT_EQ(reply->text, kPlan);
  EXPECT_EQ(reply->detail, "");
  EXPECT_EQ(reply->model, "claude-sonnet-4-5-20250929");
}

TEST(AnthropicMessages, CountsCacheReadsAndWritesAsInput) {
  const auto reply = anthropic_format().read(200, kAnthropicMessagesAnswer);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->usage.input_tokens, 1810u);
  EXPECT_EQ(reply->usage.cached_input_tokens, 1024u);
  EXPECT_EQ(reply->usage.output_tokens, 95u);
}

TEST(AnthropicMessages, EachStopReasonHasItsFinish) {
  const std::pair<const char*, Finish> expected[] = {{"end_turn", Finish::kComplete},
                                                     {"stop_sequence", Finish::kComplete},
                                                     {"max_tokens", Finish::kLength},
                                                     {"refusal", Finish::kRefused},
                                                     {"model_context_window_exceeded", Finish::kContextFull}};
  for (const auto& [reason, finish] : expected) {
    const auto reply = read_stopped(reason);
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->finish, finish) << reason;
    EXPECT_EQ(reply->detail, finish == Finish::kComplete ? "" : reason);
  }
}

TEST(AnthropicMessages, ARefusalHasTheProvidersExplanation) {
  const auto explained = read_stopped(
      "refusal", R"(,"stop_details":{"type":"refusal","category":"cyber","explanation":"This could enable harm."})");
  ASSERT_TRUE(explained) << explained.error().message;
  EXPECT_EQ(explained->detail, "This could enable harm.");
  const auto categorized =
      read_stopped("refusal", R"(,"stop_details":{"type":"refusal","category":"cyber","explanation":null})");
  ASSERT_TRUE(categorized) << categorized.error().message;
  EXPECT_EQ(categorized->detail, "refusal: cyber");
}

TEST(AnthropicMessages, UnknownStopReasonIsAnErrorThatNamesIt) {
  for (const std::string reason : {"tool_use", "pause_turn", "compaction"}) {
    const auto reply = read_stopped(reason);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Code::kDataLoss);
    EXPECT_NE(reply.error().message.find(reason), std::string::npos);
  }
}

TEST(AnthropicMessages, ErrorNamesTheWrongField) {
  const auto reply =
      anthropic_format().read(200, R"({"content":[{"type":"text","text":null}],"stop_reason":"end_turn"})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "the provider's answer: content[0].text must be a text, not null");
}

TEST(AnthropicMessages, FullContextIsAReply) {
  for (const std::string words : {"prompt is too long: 215000 tokens > 200000 maximum",
                                  "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000"}) {
    const auto reply = anthropic_format().read(
        400, R"({"type":"error","error":{"type":"invalid_request_error","message":")" + words + R"("}})");
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->finish, Finish::kContextFull);
    EXPECT_EQ(reply->detail, words);
  }
}

TEST(AnthropicMessages, OverloadIsRetryable) {
  const auto reply =
      anthropic_format().read(529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnavailable);
  EXPECT_EQ(reply.error().message, "the provider answered HTTP 529, overloaded_error: Overloaded (try again)");
}

TEST(AnthropicMessages, MissingCreditIsNotRetryable) {
  const auto reply = anthropic_format().read(400, R"({"type":"error","error":{"type":"invalid_request_error",
    "message":"Your credit balance is too low to access the Anthropic API."}})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kFailedPrecondition);
}

}  // namespace
}  // namespace da::planner::model
