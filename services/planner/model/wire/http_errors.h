// Maps the errors of all providers to our error codes and replies. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

// An error as the provider reports it. Untrusted.
struct ProviderError {
  int status = 0;       // HTTP status, or the equivalent one.
  std::string type;     // "rate_limit_error"; Gemini's status, "RESOURCE_EXHAUSTED".
  std::string code;     // "insufficient_quota"; Gemini's reason, "API_KEY_INVALID".
  std::string message;  // The provider's text for people.
};

inline bool is_success(int status) { return status >= 200 && status < 300; }

// A full context or a filter gives a Reply; everything else an Error with the codes of WireFormat::read.
// `heading` starts the message: "the provider answered HTTP 429".
Result<Reply> outcome_of(const ProviderError& error, std::string_view heading);

// Reads an answer whose status is not 2xx. The body may be anything.
Result<Reply> read_http_error(int status, std::string_view body);

// The wait before the next try, from google.rpc.RetryInfo, which Gemini sends instead of Retry-After.
std::optional<Milliseconds> retry_delay_of(std::string_view body);

}  // namespace da::planner::model
