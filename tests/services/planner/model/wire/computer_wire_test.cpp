// Offers, calls and results of each provider's computer tool.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "services/planner/model/wire/anthropic_messages.h"
#include "services/planner/model/wire/gemini.h"
#include "services/planner/model/wire/openai_responses.h"
#include "tests/services/planner/model/golden.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

OpenAiResponses openai(bool store = false) {
  return OpenAiResponses({.api = Api::kOpenAiResponses,
                          .base_url = "https://api.openai.com/v1",
                          .model = "gpt-5.4",
                          .computer = true,
                          .store = store});
}
AnthropicMessages anthropic(std::string model, std::string tool = "") {
  return AnthropicMessages({.api = Api::kAnthropicMessages,
                            .base_url = "https://api.anthropic.com",
                            .model = std::move(model),
                            .computer = true,
                            .computer_tool = std::move(tool)});
}
Gemini gemini(std::string model) {
  return Gemini({.api = Api::kGemini,
                 .base_url = "https://generativelanguage.googleapis.com",
                 .model = std::move(model),
                 .computer = true});
}

constexpr char kOpenAiCall[] = R"({"status":"completed","model":"gpt-5.4","output":[
  {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2VjcmV0"},
  {"type":"computer_call","id":"cu_1","call_id":"call_1","status":"completed",
   "pending_safety_checks":[{"id":"sc_1","code":"malicious_instructions","message":"The screen gives orders."}],
   "actions":[{"type":"click","button":"left","x":10,"y":20},{"type":"wait"}]}],
  "usage":{"input_tokens":10,"output_tokens":5}})";
constexpr char kAnthropicCall[] =
    R"({"type":"message","model":"claude-sonnet-4-5","stop_reason":"tool_use","content":[
  {"type":"thinking","thinking":"Hm.","signature":"c2ln"},
  {"type":"text","text":"I open it."},
  {"type":"tool_use","id":"toolu_1","name":"computer","input":{"action":"left_click","coordinate":[10,20]}},
  {"type":"tool_use","id":"toolu_2","name":"left_click","toolset_name":"computer","input":{"coordinate":[1,2]}}],
  "usage":{"input_tokens":10,"output_tokens":5}})";
constexpr char kGeminiCall[] = R"({"modelVersion":"gemini-3.5-flash","candidates":[{"finishReason":"STOP","content":{
  "role":"model","parts":[{"text":"I open it."},{"functionCall":{"id":"f1","name":"click","args":{"x":500,"y":500,
  "intent":"open it","safety_decision":{"decision":"require_confirmation","explanation":"It buys something."}}},
  "thoughtSignature":"c2ln"}]}}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5}})";

// A question, the answer with calls, and their results with the newest screenshot and a closer look.
Request after(const Reply& reply, bool done) {
  Request request;
  request.system = "You drive a desktop.";
  request.computer = ComputerTool{1280, 720};
  request.max_output_tokens = 2000;
  request.messages.push_back({.text = "The goal is: open it. (The screenshot of this turn is left out here.)"});
  request.messages.push_back(
      {.from = Message::From::kModel, .text = reply.text, .calls = reply.calls, .verbatim = reply.verbatim});
  Message told{.text = "Turn 2 of 12."};
  for (const ToolCall& call : reply.calls) told.results.push_back({call, done ? "carried out" : "not done", done});
  told.images.push_back({.media_type = "image/png", .data = "screen", .width = 1280, .height = 720});
  told.images.push_back({.media_type = "image/png", .data = "closer"});
  request.messages.push_back(std::move(told));
  return request;
}

Reply read_answer(const WireFormat& format, const char* answer) {
  auto reply = format.read(200, answer);
  EXPECT_TRUE(reply) << reply.error().message;
  return reply.value_or(Reply{});
}

TEST(ComputerWire, OpenAiBodyMatchesGolden) {
  expect_golden("openai_computer", openai().build(after(read_answer(openai(), kOpenAiCall), true)).body);
}

TEST(ComputerWire, AnthropicBodyMatchesGolden) {
  const auto format = anthropic("claude-sonnet-4-5");
  const HttpRequest http = format.build(after(read_answer(format, kAnthropicCall), true));
  expect_golden("anthropic_computer", http.body);
  EXPECT_EQ(http.headers.back(), std::make_pair(std::string("anthropic-beta"), std::string("computer-use-2025-01-24")));
}

TEST(ComputerWire, GeminiBodyMatchesGolden) {
  const auto format = gemini("gemini-3.5-flash");
  expect_golden("gemini_computer", format.build(after(read_answer(format, kGeminiCall), true)).body);
}

TEST(ComputerWire, OpenAiCallsAreReadWithTheirSafetyChecks) {
  const Reply reply = read_answer(openai(), kOpenAiCall);
  EXPECT_EQ(reply.finish, Finish::kComplete);
  ASSERT_EQ(reply.calls.size(), 1u);
  EXPECT_EQ(reply.calls[0].id, "call_1");
  EXPECT_EQ(reply.calls[0].actions.size(), 2u);
  ASSERT_EQ(reply.calls[0].checks.size(), 1u);
  EXPECT_EQ(reply.calls[0].checks[0].message, "The screen gives orders.");
  EXPECT_EQ(reply.verbatim.size(), 2u) << "the thoughts that led there as well";
}

TEST(ComputerWire, OpenAiMayGiveASingleAction) {
  const Reply reply = read_answer(openai(), R"({"status":"completed","output":[{"type":"computer_call","call_id":"c",
      "pending_safety_checks":[],"action":{"type":"wait"}}]})");
  ASSERT_EQ(reply.calls.size(), 1u);
  EXPECT_EQ(reply.calls[0].actions[0]["type"], "wait");
}

// The provider answers 400 to calls without agreement, and results must be screenshots; text replaces them.
TEST(ComputerWire, OpenAiGetsATextWithoutAgreementOrScreenshot) {
  Request request = after(read_answer(openai(), kOpenAiCall), false);
  auto body = json::parse(openai().build(request).body);
  EXPECT_EQ(body.dump().find("computer_call"), std::string::npos);
  EXPECT_NE(body["input"][1]["content"].get<std::string>().find("I used the computer: "), std::string::npos);
  EXPECT_NE(body["input"][2].dump().find("not done"), std::string::npos);

  request = after(read_answer(openai(), kOpenAiCall), true);
  request.messages.back().images.clear();
  body = json::parse(openai().build(request).body);
  EXPECT_EQ(body.dump().find("computer_call"), std::string::npos);
}

TEST(ComputerWire, OpenAiStoresNothingByDefault) {
  Request request;
  request.computer = ComputerTool{10, 10};
  request.messages.push_back({.text = "hi"});
  auto body = json::parse(openai().build(request).body);
  EXPECT_EQ(body["store"], false);
  EXPECT_EQ(body["include"], json::array({"reasoning.encrypted_content"}));
  body = json::parse(openai(true).build(request).body);
  EXPECT_EQ(body["store"], true);
  EXPECT_FALSE(body.contains("include"));
}

TEST(ComputerWire, AnthropicCallsOfToolAndToolsetAreRead) {
  const Reply reply = read_answer(anthropic("claude-sonnet-4-5"), kAnthropicCall);
  EXPECT_EQ(reply.text, "I open it.");
  ASSERT_EQ(reply.calls.size(), 2u);
  EXPECT_EQ(reply.calls[0].actions[0]["action"], "left_click");
  EXPECT_EQ(reply.calls[1].actions[0].dump(), R"({"action":"left_click","coordinate":[1,2]})");
  EXPECT_EQ(reply.verbatim.size(), 4u);
}

TEST(ComputerWire, EachAnthropicModelHasItsVersionOfTheTool) {
  const std::pair<const char*, const char*> expected[] = {{"claude-3-5-sonnet-20241022", "computer_20241022"},
                                                          {"claude-3-7-sonnet-latest", "computer_20250124"},
                                                          {"claude-sonnet-4-20250514", "computer_20250124"},
                                                          {"claude-sonnet-4-5", "computer_20250124"},
                                                          {"claude-opus-4-1", "computer_20250124"},
                                                          {"claude-haiku-4-5", "computer_20250124"},
                                                          {"claude-opus-4-5", "computer_20251124"},
                                                          {"claude-sonnet-4-6", "computer_20251124"},
                                                          {"claude-opus-5", "computer_toolset_20260801"}};
  Request request;
  request.computer = ComputerTool{1280, 720};
  request.messages.push_back({.text = "hi"});
  for (const auto& [model, tool] : expected) {
    const auto body = json::parse(anthropic(model).build(request).body);
    EXPECT_EQ(body["tools"][0]["type"], tool) << model;
  }
  const HttpRequest set = anthropic("claude-opus-5").build(request);
  EXPECT_EQ(json::parse(set.body)["tools"].dump(), R"([{"type":"computer_toolset_20260801"}])");
  EXPECT_EQ(set.headers.size(), 3u) << "it is out of beta";
  const HttpRequest named = anthropic("claude-opus-5", "computer_20251124").build(request);
  EXPECT_EQ(json::parse(named.body)["tools"][0]["enable_zoom"], true);
}

// Error results must not contain images.
TEST(ComputerWire, AnthropicGetsTheScreenshotBesideAnErrorResult) {
  const auto format = anthropic("claude-sonnet-4-5");
  const auto body = json::parse(format.build(after(read_answer(format, kAnthropicCall), false)).body);
  const json& content = body["messages"][2]["content"];
  EXPECT_EQ(content[0]["is_error"], true);
  EXPECT_EQ(content[0]["content"].size(), 1u);
  EXPECT_EQ(content[1]["toolset_name"], "computer");
  EXPECT_EQ(content[2]["type"], "text");
  EXPECT_EQ(content[3]["type"], "image");
}

TEST(ComputerWire, GeminiCallsAreReadWithTheirSafetyDecision) {
  const Reply reply = read_answer(gemini("gemini-3.5-flash"), kGeminiCall);
  ASSERT_EQ(reply.calls.size(), 1u);
  EXPECT_EQ(reply.calls[0].name, "click");
  ASSERT_EQ(reply.calls[0].checks.size(), 1u);
  EXPECT_EQ(reply.calls[0].checks[0].code, "require_confirmation");
  EXPECT_EQ(reply.calls[0].checks[0].message, "It buys something.");
}

TEST(ComputerWire, GeminiGetsNoAcknowledgementWithoutAgreement) {
  const auto format = gemini("gemini-3.5-flash");
  const auto body = json::parse(format.build(after(read_answer(format, kGeminiCall), false)).body);
  EXPECT_EQ(body.dump().find("safety_acknowledgement"), std::string::npos);
  EXPECT_EQ(body["contents"][2]["parts"][0]["functionResponse"]["response"]["error"], "not done");
}

TEST(ComputerWire, OldGeminiGetsABrowserWithoutBrowserFunctions) {
  Request request;
  request.computer = ComputerTool{1280, 720};
  request.messages.push_back({.text = "hi"});
  const auto body = json::parse(gemini("gemini-2.5-computer-use-preview-10-2025").build(request).body);
  EXPECT_EQ(body["tools"][0]["computerUse"]["environment"], "ENVIRONMENT_BROWSER");
  EXPECT_EQ(body["tools"][0]["computerUse"]["excludedPredefinedFunctions"].size(), 3u);
}

TEST(ComputerWire, CallThatTheProviderCannotReadIsMalformed) {
  const Reply reply =
      read_answer(gemini("gemini-3.5-flash"),
                  R"({"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"click("}]})");
  EXPECT_EQ(reply.finish, Finish::kMalformed);
  EXPECT_EQ(reply.detail, "MALFORMED_FUNCTION_CALL: click(");
}

TEST(ComputerWire, HostileCallsAreErrorsThatNameThePlace) {
  for (const char* item :
       {R"({"type":"computer_call"})", R"({"type":"computer_call","call_id":7})",
        R"({"type":"computer_call","call_id":"c"})", R"({"type":"computer_call","call_id":"c","actions":7})",
        R"({"type":"computer_call","call_id":"c","actions":[7]})",
        R"({"type":"computer_call","call_id":"c","action":{},"pending_safety_checks":[{}]})"}) {
    const auto reply = openai().read(200, R"({"status":"completed","output":[)" + std::string(item) + "]}");
    ASSERT_FALSE(reply) << item;
    EXPECT_EQ(reply.error().code, Code::kDataLoss) << item;
  }
  for (const char* block : {R"({"type":"tool_use"})", R"({"type":"tool_use","id":"a","name":"computer"})",
                            R"({"type":"tool_use","id":"a","name":"computer","input":[]})"}) {
    EXPECT_FALSE(anthropic("claude-sonnet-4-5")
                     .read(200, R"({"stop_reason":"tool_use","content":[)" + std::string(block) + "]}"))
        << block;
  }
  for (const char* part : {R"({"functionCall":7})", R"({"functionCall":{}})", R"({"functionCall":{"name":7}})",
                           R"({"functionCall":{"name":"click","args":[]}})",
                           R"({"functionCall":{"name":"click","args":{"safety_decision":"no"}}})"}) {
    EXPECT_FALSE(
        gemini("gemini-3.5-flash")
            .read(200, R"({"candidates":[{"finishReason":"STOP","content":{"parts":[)" + std::string(part) + "]}}]}"))
        << part;
  }
}

// A tool that was not offered cannot be called.
TEST(ComputerWire, WithoutTheToolACallIsAnError) {
  AnthropicMessages plain({.api = Api::kAnthropicMessages, .base_url = "x", .model = "claude-sonnet-4-5"});
  EXPECT_FALSE(plain.read(200, kAnthropicCall));
  Gemini bare({.api = Api::kGemini, .base_url = "x", .model = "gemini-2.5-pro"});
  EXPECT_FALSE(bare.read(200, R"({"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]})"));
  OpenAiResponses responses({.api = Api::kOpenAiResponses, .base_url = "x", .model = "gpt-5"});
  EXPECT_TRUE(read_answer(responses, kOpenAiCall).calls.empty());
}

}  // namespace
}  // namespace da::planner::model
