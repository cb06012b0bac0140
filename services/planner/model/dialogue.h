// What a model is asked, and what it answers, in no provider's own words. Values; any thread.
//
// A dialogue is told whole with each request: models keep nothing. It begins with a message of the user, and the two
// sides take turns.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace da::planner::model {

struct Image {
  std::string media_type;   // "image/png", "image/jpeg"
  std::string data;         // The file's bytes, not yet in base64.
  std::uint32_t width = 0;  // Pixels; 0 where they are not known.
  std::uint32_t height = 0;
};

// The provider's doubt about a call of its computer tool. A person is asked before anything of the call is done.
struct SafetyCheck {
  std::string id;  // Empty where the provider gives none.
  std::string code;
  std::string message;
};

// A call of the provider's computer tool.
struct ToolCall {
  std::string id;          // What its result is named by; empty where the provider gives none.
  std::string name;        // Of the function that was called.
  nlohmann::json actions;  // What is to be done, a list of objects in the provider's own words. Untrusted.
  std::vector<SafetyCheck> checks;
};

// What a call led to. The screen after it is the image of the message that the result stands in.
struct ToolResult {
  ToolCall call;
  std::string text;
  bool done = false;  // All of it was carried out, so a person agreed to its safety checks.
};

struct Message {
  enum class From { kUser, kModel };
  From from = From::kUser;
  std::string text;                      // UTF-8. May be empty where there are images or results.
  std::vector<Image> images = {};        // After the text. Of the user alone.
  std::vector<ToolResult> results = {};  // Before the text. Of the user alone; answer the calls of the message before.
  std::vector<ToolCall> calls = {};      // Of the model alone.
  nlohmann::json verbatim = {};          // Of the model: its items as the provider wrote them, where they hold calls.
};

// The provider's own computer tool, offered to the model. It then answers with calls, and with plain text at the end.
struct ComputerTool {
  std::uint32_t width = 0;  // Of the screenshot, pixels.
  std::uint32_t height = 0;
};

struct Request {
  std::string system;  // What the model is, and the contract; before the dialogue.
  std::vector<Message> messages;
  std::uint32_t max_output_tokens = 0;  // More than 0.
  // JSON schema that the answer must follow, under a name for it (letters, digits, _). Null: any text. Models write the
  // keys of an object in the schema's order, which is kept for that reason.
  std::string schema_name;
  nlohmann::ordered_json schema;
  std::optional<ComputerTool> computer;  // Not together with a schema.
};

// How an answer ended. Everything but kComplete has its own outcome; its text, if any, is never read as a plan.
enum class Finish {
  kComplete,
  kLength,       // max_output_tokens, or the server's own limit, cut it off.
  kRefused,      // The model declined; Reply.detail has its words.
  kFiltered,     // The provider blocked the prompt or the answer; Reply.detail has its reason.
  kContextFull,  // The dialogue is longer than the model can read.
  kMalformed,    // The provider could not read the call of a tool that its model wrote; Reply.detail has its reason.
};

// What the provider counted; 0 where it did not say.
struct Usage {
  std::uint64_t input_tokens = 0;         // All that was read, what came from a cache included.
  std::uint64_t cached_input_tokens = 0;  // The part of it that came from a cache.
  std::uint64_t output_tokens = 0;        // What it wrote, thinking included.
};

struct Reply {
  Finish finish = Finish::kComplete;
  std::string text;             // Verbatim. Untrusted.
  std::vector<ToolCall> calls;  // Only where the request offered the computer tool.
  nlohmann::json verbatim;      // As Message has it.
  std::string detail;           // Of a finish that is not kComplete, in the provider's words. Untrusted.
  std::string model;            // The one that answered, as the provider names it; may differ from the one asked for.
  Usage usage;
};

}  // namespace da::planner::model
