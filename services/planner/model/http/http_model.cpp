#include "services/planner/model/http/http_model.h"

#include <utility>

#include "lib/base/text.h"
#include "services/planner/model/wire/http_errors.h"

namespace da::planner::model {

void blank_key(std::string& text, const std::string& key) {
  constexpr std::string_view kBlank = "<key>";
  constexpr std::size_t kShortestSecret = 8;
  if (key.size() < kShortestSecret) return;
  for (auto at = text.find(key); at != std::string::npos; at = text.find(key, at + kBlank.size())) {
    text.replace(at, key.size(), kBlank);
  }
}

HttpModel::HttpModel(std::string provider, std::string model, std::unique_ptr<WireFormat> format, std::string key,
                     HttpSettings settings)
    : provider_(std::move(provider)),
      model_(std::move(model)),
      format_(std::move(format)),
      key_(std::move(key)),
      client_(std::move(settings)) {}

tl::expected<Reply, Failure> HttpModel::answer(const Request& request, Milliseconds timeout, std::stop_token stop) {
  const auto key_header = key_.empty() ? std::pair<std::string, std::string>() : format_->key_header(key_);
  auto answer = client_.post(format_->build(request), key_header, timeout, stop);
  if (!answer) return tl::make_unexpected(Failure{answer.error(), std::nullopt});
  blank_key(answer->body, key_);
  const bool success = answer->status >= 200 && answer->status < 300;
  // A page of some proxy on the way, say.
  if (success && answer->content_type != "application/json") {
    return tl::make_unexpected(
        Failure{{Code::kDataLoss,
                 provider_ + " answered with " +
                     (answer->content_type.empty() ? "no content type" : escape_foreign(answer->content_type, 80)) +
                     ", not with application/json"},
                std::nullopt});
  }
  auto reply = format_->read(answer->status, answer->body);
  if (!reply) {
    const auto wait = answer->retry_after ? answer->retry_after : retry_delay_of(answer->body);
    return tl::make_unexpected(Failure{reply.error(), wait});
  }
  return *std::move(reply);
}

}  // namespace da::planner::model
