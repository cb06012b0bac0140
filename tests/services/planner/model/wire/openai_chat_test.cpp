#include "services/planner/model/wire/openai_chat.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/services/planner/model/examples.h"
#include "tests/services/planner/model/golden.h"

namespace da::planner::model {
namespace {

const Target kOpenAi = {.api = Api::kOpenAiChat, .base_url = "https://api.openai.com/v1", .model = "gpt-5.2"};

OpenAiChat chat_server(ChatTraits traits) {
  return OpenAiChat({.base_url = "http://127.0.0.1:8080/v1", .model = "qwen2.5vl", .chat = std::move(traits)});
}

nlohmann::json body_of(const OpenAiChat& format, const Request& request = example_request()) {
  return nlohmann::json::parse(format.build(request).body);
}

// Reads an answer whose only choice has this message and finish reason.
Result<Reply> read_choice(std::string message, std::string finish) {
  return OpenAiChat(kOpenAi).read(
      200, R"({"choices":[{"message":)" + message + R"(,"finish_reason":")" + finish + R"("}]})");
}

TEST(OpenAiChat, BodyMatchesGolden) {
  const HttpRequest http = OpenAiChat(kOpenAi).build(example_request());
  EXPECT_EQ(http.url, "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(http.headers, (Headers{{"Content-Type", "application/json"}, {"Accept", "application/json"}}));
  expect_golden("openai_chat", http.body);
}

TEST(OpenAiChat, BodyForLlamaCppMatchesGolden) {
  const auto format = chat_server({.schema = ChatTraits::Schema::kFlat, .max_tokens_field = "max_tokens"});
  expect_golden("openai_chat_flat", format.build(example_request()).body);
}

TEST(OpenAiChat, AsksForAnyObjectWithoutSchemaSupport) {
  const nlohmann::json body = body_of(chat_server({.schema = ChatTraits::Schema::kObject}));
  EXPECT_EQ(body["response_format"], nlohmann::json({{"type", "json_object"}}));
}

TEST(OpenAiChat, OmitsResponseFormatIfUnsupportedOrUnwanted) {
  EXPECT_FALSE(body_of(chat_server({.schema = ChatTraits::Schema::kNone})).contains("response_format"));
  Request request = example_request();
  request.schema = nullptr;
  EXPECT_FALSE(body_of(OpenAiChat(kOpenAi), request).contains("response_format"));
}

TEST(OpenAiChat, OmitsAnEmptySystemPrompt) {
  Request request = example_request();
  request.system.clear();
  EXPECT_EQ(body_of(OpenAiChat(kOpenAi), request)["messages"][0]["role"], "user");
}

TEST(OpenAiChat, KeyIsABearerToken) {
  EXPECT_EQ(OpenAiChat(kOpenAi).key_header("sk-1"),
            std::make_pair(std::string("Authorization"), std::string("Bearer sk-1")));
}

TEST(OpenAiChat, ReadsTextModelAndUsage) {
  const auto reply = OpenAiChat(kOpenAi).read(200, kOpenAiChatAnswer);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kComplete);
  EXPECT_EQ(reply->text, kPlan);
  EXPECT_EQ(reply->detail, "");
  EXPECT_EQ(reply->model, "gpt-5.2-2025-12-11");
  EXPECT_EQ(reply->usage.input_tokens, 1810u);
  EXPECT_EQ(reply->usage.cached_input_tokens, 1024u);
  EXPECT_EQ(reply->usage.output_tokens, 95u);
}

// Ollama, llama.cpp and vLLM omit counts, and put thinking into its own field.
TEST(OpenAiChat, ReadsAnswersWithMissingFields) {
  const auto reply = OpenAiChat(kOpenAi).read(200, R"({
    "id": "chatcmpl-7", "object": "chat.completion", "created": 1763750000, "model": "qwen2.5vl",
    "choices": [{"index": 0, "finish_reason": "stop",
                 "message": {"role": "assistant", "content": "{}", "reasoning": "I look.", "reasoning_content": null}}],
    "usage": {"prompt_tokens": 12, "completion_tokens": 2, "total_tokens": 14, "prompt_tokens_details": null},
    "timings": {"prompt_ms": 12.5}, "prompt_logprobs": null})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "{}");
  EXPECT_EQ(reply->usage.input_tokens, 12u);
  EXPECT_EQ(reply->usage.cached_input_tokens, 0u);
}

TEST(OpenAiChat, UsageMayBeMissing) {
  const auto reply = read_choice(R"({"content":"{}"})", "stop");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->usage.output_tokens, 0u);
}

TEST(OpenAiChat, TruncatedAnswerKeepsItsText) {
  const auto reply = read_choice(R"({"content":"{\"ste"})", "length");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kLength);
  EXPECT_EQ(reply->detail, "length");
  EXPECT_EQ(reply->text, "{\"ste");
}

TEST(OpenAiChat, RefusalWithFinishStopIsARefusal) {
  const auto reply = read_choice(R"({"content":null,"refusal":"I cannot help with that."})", "stop");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kRefused);
  EXPECT_EQ(reply->detail, "I cannot help with that.");
  EXPECT_EQ(reply->text, "");
}

TEST(OpenAiChat, FilteredAnswerIsAReply) {
  const auto reply = read_choice(R"({"content":null})", "content_filter");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kFiltered);
  EXPECT_EQ(reply->detail, "content_filter");
}

TEST(OpenAiChat, UnknownFinishReasonIsAnErrorThatNamesIt) {
  for (const std::string finish : {"tool_calls", "function_call", "abort", ""}) {
    const auto reply = read_choice(R"({"content":"{}"})", finish);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Code::kDataLoss);
    EXPECT_NE(reply.error().message.find('"' + finish + '"'), std::string::npos) << reply.error().message;
  }
}

TEST(OpenAiChat, ErrorNamesTheWrongField) {
  const auto no_choices = OpenAiChat(kOpenAi).read(200, R"({"choices":[]})");
  ASSERT_FALSE(no_choices);
  EXPECT_EQ(no_choices.error().message, "the provider's answer: choices is empty");
  const auto number = read_choice(R"({"content":7})", "stop");
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().message,
            "the provider's answer: choices[0].message.content must be a text, not the number 7");
}

}  // namespace
}  // namespace da::planner::model
