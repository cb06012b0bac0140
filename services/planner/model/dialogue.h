// A dialogue with a model, independent of providers: requests and replies. Values; any thread.
//
// Each request contains the whole dialogue, because models keep no state. The user sends the first message; then model
// and user take turns.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace da::planner::model {

struct Image {
  std::string media_type;   // "image/png", "image/jpeg"
  std::string data;         // The file's bytes, without base64.
  std::uint32_t width = 0;  // Pixels; 0 if unknown.
  std::uint32_t height = 0;
};

// The provider's doubt about a call of its computer tool: a person must confirm each step of the call.
struct SafetyCheck {
  std::string id;  // May be empty.
  std::string code;
  std::string message;
};

// A call of the provider's computer tool.
struct ToolCall {
  std::string id;          // Links the result to the call; may be empty.
  std::string name;        // The called function.
  nlohmann::json actions;  // List of objects in the provider's vocabulary. Untrusted.
  std::vector<SafetyCheck> checks;
};

// The result of a call. The message that contains the result also contains the screenshot after the call.
struct ToolResult {
  ToolCall call;
  std::string text;
  bool done = false;  // The whole call was carried out, so a person agreed to its safety checks.
};

struct Message {
  enum class From { kUser, kModel };
  From from = From::kUser;
  std::string text;                      // UTF-8. May be empty if there are images or results.
  std::vector<Image> images = {};        // User only; after the text.
  std::vector<ToolResult> results = {};  // User only; before the text. They answer the calls of the previous message.
  std::vector<ToolCall> calls = {};      // Model only.
  nlohmann::json verbatim = {};          // Model only: the provider's own items, if there are calls.
};

// Offers the provider's own computer tool. The model then answers with calls, and with plain text at the end.
struct ComputerTool {
  std::uint32_t width = 0;  // Size of the screenshot in pixels.
  std::uint32_t height = 0;
};

struct Request {
  std::string system;  // The system prompt, with the contract.
  std::vector<Message> messages;
  std::uint32_t max_output_tokens = 0;  // Must be more than 0.
  // JSON schema of the answer, and its name (letters, digits, _). Null: any text. Ordered, because models write an
  // object's keys in the schema's order.
  std::string schema_name;
  nlohmann::ordered_json schema;
  std::optional<ComputerTool> computer;  // Excludes a schema.
};

// How an answer ended. Only the text of a kComplete answer is read as a plan.
enum class Finish {
  kComplete,
  kLength,       // max_output_tokens or the server's own limit cut the answer off.
  kRefused,      // The model declined; Reply.detail has its text.
  kFiltered,     // The provider blocked the prompt or the answer; Reply.detail has the reason.
  kContextFull,  // The dialogue is longer than the model can read.
  kMalformed,    // The provider could not read its model's tool call; Reply.detail has the reason.
};

// The provider's token counts; 0 if it gives none.
struct Usage {
  std::uint64_t input_tokens = 0;         // Includes cached tokens.
  std::uint64_t cached_input_tokens = 0;  // The part that was read from the provider's cache.
  std::uint64_t output_tokens = 0;        // Includes thinking.
};

struct Reply {
  Finish finish = Finish::kComplete;
  std::string text;             // Verbatim. Untrusted.
  std::vector<ToolCall> calls;  // Only if the request offered the computer tool.
  nlohmann::json verbatim;      // Same as Message::verbatim.
  std::string detail;           // The provider's text for a finish other than kComplete. Untrusted.
  std::string model;            // The provider's name of the model that answered; may differ from the requested one.
  Usage usage;
};

}  // namespace da::planner::model
