#include "services/planner/model/wire/openai_responses.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/services/planner/model/examples.h"
#include "tests/services/planner/model/golden.h"

namespace da::planner::model {
namespace {

OpenAiResponses responses_format() {
  return OpenAiResponses({.api = Api::kOpenAiResponses, .base_url = "https://api.openai.com/v1", .model = "gpt-5.2"});
}

TEST(OpenAiResponses, BodyMatchesGolden) {
  const HttpRequest http = responses_format().build(example_request());
  EXPECT_EQ(http.url, "https://api.openai.com/v1/responses");
  EXPECT_EQ(http.headers, (Headers{{"Content-Type", "application/json"}, {"Accept", "application/json"}}));
  expect_golden("openai_responses", http.body);
}

TEST(OpenAiResponses, OmitsUnusedFields) {
  Request request = example_request();
  request.system.clear();
  request.schema = nullptr;
  const auto body = nlohmann::json::parse(responses_format().build(request).body);
  EXPECT_FALSE(body.contains("instructions"));
  EXPECT_FALSE(body.contains("text"));
}

TEST(OpenAiResponses, StoresNothingAtTheProvider) {
  EXPECT_EQ(nlohmann::json::parse(responses_format().build(example_request()).body)["store"], false);
}

TEST(OpenAiResponses, KeyIsABearerToken) {
  EXPECT_EQ(responses_format().key_header("sk-1"),
            std::make_pair(std::string("Authorization"), std::string("Bearer sk-1")));
}

TEST(OpenAiResponses, JoinsTheTextAndLeavesOutReasoningAndCommentary) {
  const auto reply = responses_format().read(200, kOpenAiResponsesAnswer);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kComplete);
  EXPECT_EQ(reply->text, kPlan);
  EXPECT_EQ(reply->detail, "");
  EXPECT_EQ(reply->model, "gpt-5.2-2025-12-11");
  EXPECT_EQ(reply->usage.input_tokens, 1810u);
  EXPECT_EQ(reply->usage.cached_input_tokens, 1024u);
  EXPECT_EQ(reply->usage.output_tokens, 95u);
}

TEST(OpenAiResponses, AnIncompleteResponseSaysWhy) {
  const auto cut =
      responses_format().read(200, R"({"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},
    "output":[{"type":"reasoning","summary":[]},
              {"type":"message","status":"incomplete","content":[{"type":"output_text","text":"{\"st"}]}]})");
  ASSERT_TRUE(cut) << cut.error().message;
  EXPECT_EQ(cut->finish, Finish::kLength);
  EXPECT_EQ(cut->detail, "max_output_tokens");
  EXPECT_EQ(cut->text, "{\"st");
  const auto filtered = responses_format().read(
      200, R"({"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]})");
  ASSERT_TRUE(filtered) << filtered.error().message;
  EXPECT_EQ(filtered->finish, Finish::kFiltered);
  EXPECT_EQ(filtered->detail, "content_filter");
}

TEST(OpenAiResponses, RefusalPartMakesTheReplyARefusal) {
  const auto reply = responses_format().read(200, R"({"status":"completed","output":[{"type":"message","content":[
    {"type":"refusal","refusal":"I cannot help with that."}]}]})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kRefused);
  EXPECT_EQ(reply->detail, "I cannot help with that.");
}

Result<Reply> read_failed(std::string code) {
  return responses_format().read(200, R"({"status":"failed","incomplete_details":null,"output":[],"error":{"code":")" +
                                          code + R"(","message":"it did not work"}})");
}

TEST(OpenAiResponses, AFailedResponseIsAnErrorByItsCode) {
  const std::pair<const char*, Code> expected[] = {{"server_error", Code::kUnavailable},
                                                   {"vector_store_timeout", Code::kUnavailable},
                                                   {"rate_limit_exceeded", Code::kResourceExhausted},
                                                   {"insufficient_quota", Code::kFailedPrecondition},
                                                   {"image_too_large", Code::kInvalidArgument},
                                                   {"some_new_code", Code::kInvalidArgument}};
  for (const auto& [name, code] : expected) {
    const auto reply = read_failed(name);
    ASSERT_FALSE(reply) << name;
    EXPECT_EQ(reply.error().code, code) << name;
    EXPECT_NE(reply.error().message.find(std::string(name) + ": it did not work"), std::string::npos);
  }
}

TEST(OpenAiResponses, FailedResponseMayBeAReply) {
  const std::pair<const char*, Finish> expected[] = {{"invalid_prompt", Finish::kFiltered},
                                                     {"bio_policy", Finish::kFiltered},
                                                     {"image_content_policy_violation", Finish::kFiltered},
                                                     {"context_length_exceeded", Finish::kContextFull}};
  for (const auto& [name, finish] : expected) {
    const auto reply = read_failed(name);
    ASSERT_TRUE(reply) << name;
    EXPECT_EQ(reply->finish, finish) << name;
    EXPECT_EQ(reply->detail, "it did not work");
  }
}

TEST(OpenAiResponses, UnfinishedResponseIsAnErrorWithItsStatus) {
  for (const std::string status : {"in_progress", "queued", "cancelled", "paused"}) {
    const auto reply = responses_format().read(200, R"({"status":")" + status + R"(","output":[]})");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Code::kDataLoss);
    EXPECT_NE(reply.error().message.find(status), std::string::npos);
  }
}

TEST(OpenAiResponses, ErrorNamesTheWrongField) {
  const auto reply = responses_format().read(
      200, R"({"status":"completed","output":[{"type":"message","content":[{"type":"output_text"}]}]})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "the provider's answer: output[0].content[0].text must be a text; it is missing");
}

}  // namespace
}  // namespace da::planner::model
