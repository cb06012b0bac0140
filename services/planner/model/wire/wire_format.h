// Writes requests to one provider's API and reads its answers. Pure: no network, no clock, no key; any thread.
//
//   const auto format = make_wire_format({.api = Api::kAnthropicMessages, .model = "claude-sonnet-4-5"});
//   HttpRequest http = format->build(request);     // The HTTP client adds the header of key_header().
//   Result<Reply> reply = format->read(200, body);
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"
#include "services/planner/model/wire/answer_fields.h"

namespace da::planner::model {

enum class Api {
  kOpenAiChat,         // POST {base}/chat/completions; also for compatible servers.
  kOpenAiResponses,    // POST {base}/responses
  kAnthropicMessages,  // POST {base}/v1/messages
  kGemini,             // POST {base}/v1beta/models/{model}:generateContent
};

// Differences between servers of the chat API, although all call themselves compatible.
struct ChatTraits {
  enum class Schema {
    kNested,  // response_format {type: json_schema, json_schema: {name, strict, schema}}: OpenAI, vLLM, LM Studio,
              // Ollama
    kFlat,    // response_format {type: json_schema, schema}: llama.cpp
    kObject,  // response_format {type: json_object}
    kNone,
  };
  Schema schema = Schema::kNested;
  // The field that limits the answer's length: "max_completion_tokens", or "max_tokens" for older servers.
  std::string max_tokens_field = "max_completion_tokens";
};

struct Target {
  Api api = Api::kOpenAiChat;
  std::string base_url;  // No final slash: "https://api.openai.com/v1". Empty: the provider's default.
  std::string model;
  ChatTraits chat = {};            // Only for kOpenAiChat.
  bool computer = false;           // Requests may offer the provider's computer tool, so answers may call it.
  std::string computer_tool = {};  // Only for kAnthropicMessages: "computer_20251124". Empty: chosen by the model.
  bool store = false;  // Only for kOpenAiResponses: the provider stores responses, if an account's rules demand it.
};

using Headers = std::vector<std::pair<std::string, std::string>>;  // Name and value. Never contains the key.

struct HttpRequest {
  std::string url;
  Headers headers;
  std::string body;
};

class WireFormat {
 public:
  explicit WireFormat(Target target) : target_(std::move(target)) {}
  virtual ~WireFormat() = default;

  virtual HttpRequest build(const Request& request) const = 0;

  // The header that carries the key. Default: {"Authorization", "Bearer KEY"}.
  virtual std::pair<std::string, std::string> key_header(std::string_view key) const;

  // Reads an answer of any HTTP status. A refused, filtered or truncated answer is a Reply (Reply.finish), not an
  // error. Errors, with the provider's text escaped:
  //   kUnavailable (408, 409, 5xx, 529: retry), kResourceExhausted (429: retry later),
  //   kFailedPrecondition (the account has no credit or quota left: a retry is useless),
  //   kUnauthenticated (401), kPermissionDenied (403), kNotFound (404: no such model),
  //   kInvalidArgument (3xx, other 4xx),
  //   kDataLoss (a 2xx answer with a missing or wrong field, or with an end that gives no plan)
  Result<Reply> read(int status, std::string_view body) const;

 protected:
  virtual Result<Reply> read_success(const AnswerObject& answer) const = 0;

  const Target target_;
};

// "https://api.openai.com/v1": the provider's default unless the target names one.
std::string base_url_of(const Target& target);

}  // namespace da::planner::model
