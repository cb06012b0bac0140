#include "services/planner/model/wire/http_errors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "lib/base/text.h"
#include "services/planner/model/wire/answer_fields.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

constexpr std::size_t kShownWords = 300;  // Characters of a provider's message.
constexpr std::size_t kShownCode = 60;    // Characters of its code or type.
constexpr double kLongestDelayS = 24 * 3600;

// Codes and types that are more precise than the HTTP status.
struct MeaningOfName {
  std::string_view name;
  Code code;
};
constexpr std::array<MeaningOfName, 5> kMeanings = {{
    {"insufficient_quota", Code::kFailedPrecondition},          // OpenAI: comes with 429, but waiting is useless.
    {"billing_hard_limit_reached", Code::kFailedPrecondition},  // OpenAI
    {"billing_error", Code::kFailedPrecondition},               // Anthropic
    {"FAILED_PRECONDITION", Code::kFailedPrecondition},         // Gemini: no billing, or an unsupported country.
    {"API_KEY_INVALID", Code::kUnauthenticated},                // Gemini: comes with 400.
}};

// Codes and types that are an end of the dialogue, not an error.
constexpr std::array<FinishName, 6> kErrorFinishes = {{
    {"context_length_exceeded", Finish::kContextFull},      // OpenAI
    {"exceed_context_size_error", Finish::kContextFull},    // llama.cpp
    {"content_filter", Finish::kFiltered},                  // OpenAI at Azure
    {"invalid_prompt", Finish::kFiltered},                  // OpenAI: the prompt was flagged.
    {"image_content_policy_violation", Finish::kFiltered},  // OpenAI Responses
    {"bio_policy", Finish::kFiltered},                      // OpenAI Responses
}};

// Messages of providers that have no code for a full context.
constexpr std::array<std::string_view, 7> kContextFullWords = {
    "prompt is too long",                                  // Anthropic
    "input length and `max_tokens` exceed context limit",  // Anthropic
    "exceeds the maximum number of tokens allowed",        // Gemini
    "maximum context length is",                           // vLLM up to 0.15; OpenAI, beside its code.
    "model's context length is only",                      // vLLM from 0.16
    "is greater than the context length",                  // LM Studio
    "loaded with context length of only",                  // LM Studio, older
};

// Messages of Anthropic's invalid_request_error.
constexpr std::string_view kFilteredWords = "blocked by content filtering policy";
constexpr std::string_view kNoCreditWords = "credit balance is too low";

// Gemini names its quotas "GenerateRequestsPerDayPerProjectPerModel", "...PerMinute...". An exhausted daily quota comes
// with 429 too, but waiting is useless.
constexpr std::string_view kDailyQuotaWord = "PerDay";

bool says(const ProviderError& error, std::string_view name) { return error.code == name || error.type == name; }

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::optional<Finish> finish_of(const ProviderError& error) {
  for (const FinishName& known : kErrorFinishes) {
    if (says(error, known.name)) return known.finish;
  }
  const auto is_said = [&](std::string_view words) { return contains(error.message, words); };
  if (std::any_of(kContextFullWords.begin(), kContextFullWords.end(), is_said)) return Finish::kContextFull;
  if (is_said(kFilteredWords)) return Finish::kFiltered;
  return std::nullopt;
}

Code code_of_status(int status) {
  switch (status) {
    case 401: return Code::kUnauthenticated;
    case 402: return Code::kFailedPrecondition;
    case 403: return Code::kPermissionDenied;
    case 404: return Code::kNotFound;
    case 408:  // The server did not wait for the whole request.
    case 409:  // Another request was in the way. OpenAI's own libraries retry after 408 and 409.
      return Code::kUnavailable;
    case 429: return Code::kResourceExhausted;
    default: return status >= 500 ? Code::kUnavailable : Code::kInvalidArgument;
  }
}

Code code_of(const ProviderError& error) {
  for (const MeaningOfName& known : kMeanings) {
    if (says(error, known.name)) return known.code;
  }
  if (contains(error.message, kNoCreditWords) || contains(error.code, kDailyQuotaWord)) {
    return Code::kFailedPrecondition;
  }
  return code_of_status(error.status);
}

std::string_view advice(Code code, int status) {
  switch (code) {
    case Code::kUnavailable: return "try again";
    case Code::kResourceExhausted: return "wait, then try again";
    case Code::kFailedPrecondition: return "see the account's credit, quota and billing";
    case Code::kUnauthenticated: return "check the key";
    case Code::kPermissionDenied: return "check what the key may do";
    case Code::kNotFound: return "check the name of the model and the base URL";
    default: return status < 400 ? "check the base URL" : "";
  }
}

// Codes may be strings or numbers.
std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (found->is_string()) return found->get<std::string>();
  return found->is_number() ? found->dump() : "";
}

// The first object in Gemini's error.details that has this field; nullptr if there is none.
const json* detail_with(const json& error, const char* field) {
  const auto details = error.find("details");
  if (details == error.end() || !details->is_array()) return nullptr;
  for (const json& detail : *details) {
    if (detail.is_object() && detail.contains(field)) return &detail;
  }
  return nullptr;
}

// google.rpc.QuotaFailure: the first exhausted daily quota.
std::string daily_quota_of(const json& error) {
  const json* failure = detail_with(error, "violations");
  if (failure == nullptr || !failure->at("violations").is_array()) return "";
  for (const json& violation : failure->at("violations")) {
    if (!violation.is_object()) continue;
    if (std::string quota = text_at(violation, "quotaId"); contains(quota, kDailyQuotaWord)) return quota;
  }
  return "";
}

std::string reason_of(const json& error) {
  const json* told = detail_with(error, "reason");
  return told == nullptr ? daily_quota_of(error) : text_at(*told, "reason");
}

ProviderError from_object(int status, const json& error) {
  ProviderError told{.status = status,
                     .type = text_at(error, "type"),
                     .code = text_at(error, "code"),
                     .message = text_at(error, "message")};
  if (told.type.empty()) told.type = text_at(error, "status");
  if (std::string reason = reason_of(error); !reason.empty()) told.code = std::move(reason);
  return told;
}

// Forms: {"error": {...}} of all vendors, in a list from Gemini; {"error": "..."} of Ollama; only the fields of older
// vLLM.
std::optional<ProviderError> from_json(int status, const json& body) {
  const json& whole = body.is_array() && !body.empty() ? body.front() : body;
  if (!whole.is_object()) return std::nullopt;
  const auto error = whole.find("error");
  if (error != whole.end() && error->is_object()) return from_object(status, *error);
  if (error != whole.end() && error->is_string()) {
    return ProviderError{.status = status, .message = error->get<std::string>()};
  }
  if (whole.contains("message")) return from_object(status, whole);
  return std::nullopt;
}

}  // namespace

Result<Reply> outcome_of(const ProviderError& error, std::string_view heading) {
  if (error.status == 400) {
    if (const auto finish = finish_of(error)) {
      Reply reply;
      reply.finish = *finish;
      reply.detail = escape_foreign(error.message.empty() ? error.code : error.message, kShownWords);
      return reply;
    }
  }
  const Code code = code_of(error);
  std::string told(heading);
  const std::string& name = error.code.empty() || error.code == std::to_string(error.status) ? error.type : error.code;
  if (!name.empty()) told += ", " + escape_foreign(name, kShownCode);
  // The provider's text about a key may quote the key.
  if (!error.message.empty() && code != Code::kUnauthenticated)
    told += ": " + escape_foreign(error.message, kShownWords);
  if (const std::string_view next = advice(code, error.status); !next.empty()) told += " (" + std::string(next) + ")";
  return Error{code, std::move(told)};
}

Result<Reply> read_http_error(int status, std::string_view body) {
  const std::string heading = "the provider answered HTTP " + std::to_string(status);
  if (const auto parsed = parse_json(body)) {
    if (const auto error = from_json(status, *parsed)) return outcome_of(*error, heading);
  }
  // The body may be a proxy's HTML page, for example: its beginning is enough.
  return outcome_of({.status = status, .message = std::string(trim(body.substr(0, 4 * kShownWords)))}, heading);
}

std::optional<Milliseconds> retry_delay_of(std::string_view body) {
  const auto parsed = parse_json(body);
  if (!parsed || !parsed->is_object()) return std::nullopt;
  const auto error = parsed->find("error");
  if (error == parsed->end() || !error->is_object()) return std::nullopt;
  const json* told = detail_with(*error, "retryDelay");
  if (told == nullptr) return std::nullopt;
  // google.protobuf.Duration in JSON: "1.5s".
  const std::string delay = text_at(*told, "retryDelay");
  double seconds = 0;
  const auto read = std::from_chars(delay.data(), delay.data() + delay.size(), seconds);
  const bool whole = read.ec == std::errc() && std::string_view(read.ptr, delay.data() + delay.size()) == "s";
  if (!whole || !(seconds >= 0 && seconds <= kLongestDelayS)) return std::nullopt;
  return Milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
}

}  // namespace da::planner::model
