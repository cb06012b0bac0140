#include "services/planner/model/wire/wire_format.h"
#include "services/planner/model/wire/make_wire_format.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "tests/services/planner/model/examples.h"

namespace da::planner::model {
namespace {

struct Example {
  Api api;
  std::string_view answer;  // A complete answer.
  std::string_view url;     // The default URL for the model "m".
};

constexpr std::array<Example, 4> kExamples = {{
    {Api::kOpenAiChat, kOpenAiChatAnswer, "https://api.openai.com/v1/chat/completions"},
    {Api::kOpenAiResponses, kOpenAiResponsesAnswer, "https://api.openai.com/v1/responses"},
    {Api::kAnthropicMessages, kAnthropicMessagesAnswer, "https://api.anthropic.com/v1/messages"},
    {Api::kGemini, kGeminiAnswer, "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"},
}};

std::unique_ptr<WireFormat> format_of(const Example& example) {
  return make_wire_format({.api = example.api, .base_url = "", .model = "m"});
}

TEST(WireFormat, UsesTheProvidersUrlByDefault) {
  for (const Example& example : kExamples) EXPECT_EQ(format_of(example)->build(example_request()).url, example.url);
}

TEST(WireFormat, UsesTheBaseUrl) {
  for (const Example& example : kExamples) {
    const auto format = make_wire_format({.api = example.api, .base_url = "https://localhost:8443/x", .model = "m"});
    EXPECT_TRUE(format->build(example_request()).url.starts_with("https://localhost:8443/x/"));
  }
}

TEST(WireFormat, ReadsTheSameFromEachProvider) {
  for (const Example& example : kExamples) {
    const auto reply = format_of(example)->read(200, example.answer);
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->text, kPlan);
    EXPECT_EQ(reply->usage.input_tokens, 1810u);
  }
}

TEST(WireFormat, EqualRequestsAreEqualBytes) {
  for (const Example& example : kExamples) {
    EXPECT_EQ(format_of(example)->build(example_request()).body, format_of(example)->build(example_request()).body);
  }
}

// Models write keys in the schema's order, which therefore must not change.
TEST(WireFormat, KeepsTheOrderOfTheSchema) {
  Request request = example_request();
  request.schema = nlohmann::ordered_json::parse(R"({"properties":{"zeta":{},"alpha":{},"middle":{}}})");
  for (const Example& example : kExamples) {
    EXPECT_NE(format_of(example)->build(request).body.find(request.schema.dump()), std::string::npos);
  }
}

TEST(WireFormat, InvalidUtf8IsReplaced) {
  Request request = example_request();
  request.system = "a\xff z";
  request.messages[0].text = "cut \xf0\x9f\x98";
  request.messages[1].text = "surrogate \xed\xa0\x80, zero ";
  request.messages[1].text += '\0';
  for (const Example& example : kExamples) {
    const std::string body = format_of(example)->build(request).body;
    EXPECT_TRUE(is_valid_utf8(body));
    EXPECT_NE(body.find("a\xef\xbf\xbd z"), std::string::npos);
    EXPECT_TRUE(nlohmann::json::accept(body));
  }
}

TEST(WireFormat, TruncatedAnswerIsAnError) {
  for (const Example& example : kExamples) {
    for (std::size_t length = 0; length < example.answer.size(); ++length) {
      const auto reply = format_of(example)->read(200, example.answer.substr(0, length));
      ASSERT_FALSE(reply) << example.answer.substr(0, length);
      EXPECT_EQ(reply.error().code, Code::kDataLoss);
    }
  }
}

// Replaces each value of a valid answer: the result is a reply or an error, and never an invented plan.
TEST(WireFormat, WrongValueInAnyPlaceIsReadOrAnError) {
  const auto others = nlohmann::json::parse(
      R"([null, true, -1, 7, 1e300, 18446744073709551615, "", "x", [], [[]], [null], {}, {"type": "text"}])");
  for (const Example& example : kExamples) {
    const auto format = format_of(example);
    const nlohmann::json answer = nlohmann::json::parse(example.answer);
    const nlohmann::json leaves = answer.flatten();
    for (const auto& [place, value] : leaves.items()) {
      // The value and everything around it.
      for (nlohmann::json::json_pointer at(place); !at.empty(); at.pop_back()) {
        for (const nlohmann::json& other : others) {
          nlohmann::json changed = answer;
          changed[at] = other;
          const auto reply = format->read(200, changed.dump());
          if (!reply) {
            EXPECT_EQ(reply.error().code, Code::kDataLoss) << reply.error().message;
          } else {
            EXPECT_TRUE(is_valid_utf8(reply->text + reply->detail + reply->model));
          }
        }
      }
    }
  }
}

TEST(WireFormat, AHostileBodyIsAnError) {
  const std::string deep(2'000'000, '[');
  const std::string bodies[] = {"",
                                "null",
                                "[]",
                                "\"text\"",
                                "<!DOCTYPE html><html></html>",
                                "data: {\"choices\":[]}\n\n",
                                "{\"choices\":" + deep,
                                R"({"candidates":)" + deep.substr(0, 1000) + std::string(1000, ']') + "}",
                                R"({"content":1e999,"stop_reason":"end_turn"})",
                                std::string(20 << 20, 'x'),
                                "\xff\xfe{}",
                                std::string("{}\0", 3)};
  for (const Example& example : kExamples) {
    for (const std::string& body : bodies) {
      const auto reply = format_of(example)->read(200, body);
      ASSERT_FALSE(reply) << body.substr(0, 80);
      EXPECT_EQ(reply.error().code, Code::kDataLoss);
      EXPECT_LT(reply.error().message.size(), 500u);
    }
  }
}

TEST(WireFormat, AnErrorStatusIsNeverAPlan) {
  for (const Example& example : kExamples) {
    for (const int status : {0, 100, 302, 400, 401, 429, 500, 529, 999}) {
      EXPECT_FALSE(format_of(example)->read(status, example.answer)) << status;
    }
  }
}

}  // namespace
}  // namespace da::planner::model
