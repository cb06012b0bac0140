#include "services/planner/model/doctor/server_calls.h"

#include <algorithm>

#include "lib/base/text.h"
#include "services/planner/model/http/http_model.h"
#include "services/planner/model/wire/answer_fields.h"
#include "services/planner/model/wire/http_errors.h"
#include "services/planner/model/wire/make_wire_format.h"

namespace da::planner::model {
namespace {

constexpr Milliseconds kOneCall{10'000};
constexpr std::size_t kShownAnswer = 80;

}  // namespace

ServerCalls::ServerCalls(const Access& access, const HttpSettings& settings, const Environment& environment,
                         const Clock& clock, MonoTime until)
    : access_(access),
      format_(make_wire_format(access.target)),
      client_(settings, environment),
      clock_(clock),
      until_(until) {}

KeyHeader ServerCalls::key_header() const {
  return access_.key.empty() ? KeyHeader() : format_->key_header(access_.key);
}

Milliseconds ServerCalls::left() const {
  return std::clamp(std::chrono::ceil<Milliseconds>(until_ - clock_.now()), Milliseconds(1), kOneCall);
}

Result<nlohmann::json> ServerCalls::get(const std::string& url, Headers headers) {
  const MonoTime begun = clock_.now();
  return read(client_.get({url, std::move(headers), ""}, key_header(), left(), {}), begun);
}

Result<nlohmann::json> ServerCalls::post(const std::string& url, const nlohmann::json& body) {
  const MonoTime begun = clock_.now();
  return read(client_.post({url, {{"Content-Type", "application/json"}}, body.dump()}, key_header(), left(), {}),
              begun);
}

Result<nlohmann::json> ServerCalls::read(Result<HttpAnswer> answer, MonoTime begun) {
  if (!answer) return answer.error();
  if (!reached_) reached_ = std::chrono::duration_cast<Milliseconds>(clock_.now() - begun);
  blank_key(answer->body, access_.key);
  if (!is_success(answer->status)) {
    const auto told = read_http_error(answer->status, answer->body);
    return told ? Error{Code::kInvalidArgument, told->detail} : told.error();
  }
  auto value = parse_json(answer->body);
  if (value) return value;
  return Error{Code::kDataLoss, "the answer is not JSON: " + quote_foreign(answer->body, kShownAnswer)};
}

}  // namespace da::planner::model
