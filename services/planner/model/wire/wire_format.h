// How one provider's API writes a request and an answer. Pure: no network, no clock, no key; any thread.
//
//   const auto format = make_wire_format({.api = Api::kAnthropicMessages, .model = "claude-sonnet-4-5"});
//   HttpRequest http = format->build(request);     // The HTTP client adds the key, as key_header says.
//   Result<Reply> reply = format->read(200, body);
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

enum class Api {
  kOpenAiChat,         // POST {base}/chat/completions; compatible servers too.
  kOpenAiResponses,    // POST {base}/responses
  kAnthropicMessages,  // POST {base}/v1/messages
  kGemini,             // POST {base}/v1beta/models/{model}:generateContent
};

// What a server of the chat API can do; they differ although they are called compatible.
struct ChatTraits {
  enum class Schema {
    kNested,  // response_format {type: json_schema, json_schema: {name, strict, schema}}: OpenAI, vLLM, LM Studio,
              // Ollama
    kFlat,    // response_format {type: json_schema, schema}: llama.cpp
    kObject,  // response_format {type: json_object}
    kNone,
  };
  Schema schema = Schema::kNested;
  // The field that bounds the answer: "max_completion_tokens", or "max_tokens" for older servers.
  std::string max_tokens_field = "max_completion_tokens";
};

struct Target {
  Api api = Api::kOpenAiChat;
  std::string base_url;  // Without a slash at the end, "https://api.openai.com/v1". Empty: the provider's own.
  std::string model;
  ChatTraits chat = {};   // Of kOpenAiChat alone.
  bool computer = false;  // Requests offer the provider's computer tool, so answers may call it.
  // Of kAnthropicMessages: the version of that tool, "computer_20251124". Empty: the one that fits the model.
  std::string computer_tool = {};
  // Of kOpenAiResponses: the provider keeps responses. Off unless an account's rules demand it.
  bool store = false;
};

using Headers = std::vector<std::pair<std::string, std::string>>;  // Name and value; no key among them.

struct HttpRequest {
  std::string url;
  Headers headers;
  std::string body;
};

class WireFormat {
 public:
  virtual ~WireFormat() = default;

  virtual HttpRequest build(const Request& request) const = 0;

  // The header that carries the key: {"Authorization", "Bearer KEY"}.
  virtual std::pair<std::string, std::string> key_header(std::string_view key) const = 0;

  // An answer of any HTTP status. A refusal, a filter, or an answer that was cut is a Reply (Reply.finish), not an
  // error. Errors, with the provider's words escaped: kUnavailable (408, 409, 5xx, 529: worth another try),
  // kResourceExhausted (429: later), kFailedPrecondition (the account has no money or quota left: no use trying),
  // kUnauthenticated and kPermissionDenied (401, 403), kNotFound (404: no such model), kInvalidArgument (other 4xx, and
  // 3xx), kDataLoss (a success that is not of this API's form: which field is missing or wrong, or how it ended where
  // that gives no plan).
  virtual Result<Reply> read(int status, std::string_view body) const = 0;
};

std::unique_ptr<WireFormat> make_wire_format(Target target);

// "https://api.openai.com/v1": the provider's own where the target names none.
std::string base_url_of(const Target& target);

}  // namespace da::planner::model
