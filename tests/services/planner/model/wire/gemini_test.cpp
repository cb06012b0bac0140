#include "services/planner/model/wire/gemini.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/services/planner/model/examples.h"
#include "tests/services/planner/model/golden.h"

namespace da::planner::model {
namespace {

Gemini gemini_format(std::string model = "gemini-3.1-pro-preview") {
  return Gemini(
      {.api = Api::kGemini, .base_url = "https://generativelanguage.googleapis.com", .model = std::move(model)});
}

TEST(Gemini, BodyMatchesGolden) {
  const HttpRequest http = gemini_format().build(example_request());
  EXPECT_EQ(http.url, "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.1-pro-preview:generateContent");
  EXPECT_EQ(http.headers, (Headers{{"Content-Type", "application/json"}, {"Accept", "application/json"}}));
  expect_golden("gemini", http.body);
}

TEST(Gemini, OmitsUnusedFields) {
  Request request = example_request();
  request.system.clear();
  request.schema = nullptr;
  const auto body = nlohmann::json::parse(gemini_format().build(request).body);
  EXPECT_FALSE(body.contains("systemInstruction"));
  EXPECT_EQ(body["generationConfig"], nlohmann::json({{"maxOutputTokens", 2000}}));
}

TEST(Gemini, EachMessageHasParts) {
  Request request = example_request();
  request.messages[1].text.clear();
  request.messages[2].text.clear();
  const auto body = nlohmann::json::parse(gemini_format().build(request).body);
  EXPECT_EQ(body["contents"][1]["parts"].size(), 1u);
  EXPECT_EQ(body["contents"][1]["parts"][0]["text"], "(no text)");
  EXPECT_TRUE(body["contents"][2]["parts"][0].contains("inlineData"));
}

TEST(Gemini, ModelNameIsEscapedInTheUrl) {
  EXPECT_EQ(gemini_format("../files?x=\xc3\xbc").build(example_request()).url,
            "https://generativelanguage.googleapis.com/v1beta/models/..%2Ffiles%3Fx%3D%C3%BC:generateContent");
}

TEST(Gemini, KeyHasItsOwnHeader) {
  EXPECT_EQ(gemini_format().key_header("AIza1"), std::make_pair(std::string("x-goog-api-key"), std::string("AIza1")));
}

TEST(Gemini, JoinsTheTextAndLeavesOutThoughts) {
  const auto reply = gemini_format().read(200, kGeminiAnswer);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kComplete);
  EXPECT_EQ(reply->text, kPlan);
  EXPECT_EQ(reply->detail, "");
  EXPECT_EQ(reply->model, "gemini-3.1-pro-preview");
}

TEST(Gemini, CountsThoughtsAsOutput) {
  const auto reply = gemini_format().read(200, kGeminiAnswer);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->usage.input_tokens, 1810u);
  EXPECT_EQ(reply->usage.cached_input_tokens, 1024u);
  EXPECT_EQ(reply->usage.output_tokens, 95u);
}

TEST(Gemini, BlockedPromptIsAReply) {
  const auto reply =
      gemini_format().read(200, R"({"promptFeedback":{"blockReason":"PROHIBITED_CONTENT","safetyRatings":[]},
    "usageMetadata":{"promptTokenCount":9,"totalTokenCount":9},"modelVersion":"gemini-2.5-flash"})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kFiltered);
  EXPECT_EQ(reply->detail, "PROHIBITED_CONTENT");
  EXPECT_EQ(reply->usage.input_tokens, 9u);
}

TEST(Gemini, EachFinishReasonHasItsFinish) {
  const std::pair<const char*, Finish> expected[] = {
      {"STOP", Finish::kComplete},      {"MAX_TOKENS", Finish::kLength},   {"CONTINUATION", Finish::kLength},
      {"SAFETY", Finish::kFiltered},    {"RECITATION", Finish::kFiltered}, {"LANGUAGE", Finish::kFiltered},
      {"BLOCKLIST", Finish::kFiltered}, {"SPII", Finish::kFiltered},       {"PROHIBITED_CONTENT", Finish::kFiltered},
      {"OTHER", Finish::kFiltered}};
  for (const auto& [reason, finish] : expected) {
    // A stopped candidate may have no content.
    const auto reply =
        gemini_format().read(200, R"({"candidates":[{"finishReason":")" + std::string(reason) + R"(","index":0}]})");
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->finish, finish) << reason;
    EXPECT_EQ(reply->detail, finish == Finish::kComplete ? "" : reason);
  }
}

TEST(Gemini, FinishMessageBecomesTheDetail) {
  const auto reply =
      gemini_format().read(200, R"({"candidates":[{"content":{"role":"model"},"finishReason":"RECITATION",
    "finishMessage":"It repeats a source."}]})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->detail, "RECITATION: It repeats a source.");
}

TEST(Gemini, UnknownFinishReasonIsAnErrorThatNamesIt) {
  for (const std::string reason : {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "NO_IMAGE",
                                   "FINISH_REASON_UNSPECIFIED", "SOMETHING_NEW"}) {
    const auto reply = gemini_format().read(200, R"({"candidates":[{"finishReason":")" + reason + R"("}]})");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Code::kDataLoss);
    EXPECT_NE(reply.error().message.find(reason), std::string::npos);
  }
}

TEST(Gemini, ErrorNamesTheWrongField) {
  const auto nothing = gemini_format().read(200, "{}");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().message, "the provider's answer: candidates must be a list; it is missing");
  const auto thought = gemini_format().read(
      200, R"({"candidates":[{"content":{"parts":[{"text":"{}","thought":"yes"}]},"finishReason":"STOP"}]})");
  ASSERT_FALSE(thought);
  EXPECT_EQ(thought.error().message,
            "the provider's answer: candidates[0].content.parts[0].thought must be true or false, not the string "
            "\"yes\"");
}

TEST(Gemini, FullContextIsAReply) {
  const auto reply = gemini_format().read(400, R"({"error":{"code":400,"status":"INVALID_ARGUMENT",
    "message":"The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)."}})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kContextFull);
}

TEST(Gemini, InvalidKeyWithStatus400IsUnauthenticated) {
  const auto reply = gemini_format().read(400, R"({"error":{"code":400,"status":"INVALID_ARGUMENT",
    "message":"API key not valid. Please pass a valid API key.",
    "details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kUnauthenticated);
  EXPECT_EQ(reply.error().message, "the provider answered HTTP 400, API_KEY_INVALID (check the key)");
}

}  // namespace
}  // namespace da::planner::model
