// What a provider's error means to us, for all providers in one place. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/dialogue.h"

namespace da::planner::model {

// An error as the provider tells it. Untrusted.
struct ProviderError {
  int status = 0;       // HTTP's, or the one that says the same.
  std::string type;     // "rate_limit_error"; Gemini's status, "RESOURCE_EXHAUSTED".
  std::string code;     // "insufficient_quota"; Gemini's reason, "API_KEY_INVALID".
  std::string message;  // For people.
};

inline bool is_success(int status) { return status >= 200 && status < 300; }

// What is an outcome of the dialogue (its length, a filter) is a Reply; else an Error, by the table in wire_format.h.
// `heading` says where the error stood: "HTTP 429".
Result<Reply> outcome_of(const ProviderError& error, std::string_view heading);

// Of an answer whose status is not a success; whatever its body is.
Result<Reply> read_http_error(int status, std::string_view body);

// How long to wait before the next try: google.rpc.RetryInfo, which Gemini sends instead of Retry-After.
std::optional<Milliseconds> retry_delay_of(std::string_view body);

}  // namespace da::planner::model
