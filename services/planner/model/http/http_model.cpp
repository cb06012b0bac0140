#include "services/planner/model/http/http_model.h"

#include <charconv>
#include <utility>

#include "lib/base/text.h"
#include "services/planner/model/wire/http_errors.h"

namespace da::planner::model {
namespace {

// The number of bytes at the start of the text that spell the character, plain or with a JSON escape; 0 if none do.
std::size_t spells(std::string_view text, char character) {
  if (text.starts_with(character)) return 1;
  if (text.size() < 2 || text[0] != '\\') return 0;
  if (text[1] == character && std::string_view("/\"\\").find(character) != std::string_view::npos) return 2;
  unsigned code = 0;
  const std::string_view digits = text[1] == 'u' ? text.substr(2, 4) : std::string_view();
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  const bool escaped = digits.size() == 4 && error == std::errc() && end == digits.data() + digits.size();
  return escaped && code == static_cast<unsigned char>(character) ? 2 + digits.size() : 0;
}

std::size_t spells(std::string_view text, std::string_view key) {
  std::size_t length = 0;
  for (const char character : key) {
    const std::size_t spelled = spells(text.substr(length), character);
    if (spelled == 0) return 0;
    length += spelled;
  }
  return length;
}

}  // namespace

void blank_key(std::string& text, std::string_view key) {
  constexpr std::string_view kBlank = "<key>";
  constexpr std::size_t kShortestSecret = 8;
  if (key.size() < kShortestSecret) return;
  const char begins[] = {key.front(), '\\', '\0'};
  for (auto at = text.find_first_of(begins); at != std::string::npos; at = text.find_first_of(begins, at)) {
    const std::size_t length = spells(std::string_view(text).substr(at), key);
    if (length > 0) text.replace(at, length, kBlank);
    const bool escaped_backslash = text.compare(at, 2, R"(\\)") == 0;
    at += length > 0 ? kBlank.size() : escaped_backslash ? 2 : 1;
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
  blank_key(answer->content_type, fold_case(key_));  // The content type is in lower case.
  // Such an answer may be a proxy's page.
  if (is_success(answer->status) && answer->content_type != "application/json") {
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
