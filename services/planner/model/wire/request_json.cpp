#include "services/planner/model/wire/request_json.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "services/planner/model/wire/base64.h"

namespace da::planner::model {
namespace {

bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

// A word of eight copies of the byte.
constexpr std::uint64_t eight(unsigned char byte) { return 0x0101010101010101u * byte; }

// Nonzero exactly if one of the word's bytes is 0.
constexpr std::uint64_t zeros(std::uint64_t word) { return (word - eight(0x01)) & ~word & eight(0x80); }

// True if JSON needs no escapes and all is ASCII, as in base64. Eight bytes at a time: an image has 400,000.
bool is_plain(std::string_view text) {
  std::uint64_t odd = 0;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    odd |= word & eight(0x80);                         // Not ASCII.
    odd |= (word - eight(' ')) & ~word & eight(0x80);  // Control characters.
    odd |= zeros(word ^ eight('"')) | zeros(word ^ eight('\\')) | zeros(word ^ eight(0x7f));
  }
  return odd == 0 && std::ranges::all_of(text.substr(at), [](char c) { return is_plain(c); });
}

// The fast path is for images, which are most of a body: the JSON library takes longer for their bytes than the rest of
// a turn takes.
void append_text(const std::string& text, std::string& out) {
  if (is_plain(text)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += RequestJson(text).dump(-1, ' ', false, RequestJson::error_handler_t::replace);
  }
}

// Estimates the size of the JSON, so that the body does not grow and copy its images.
std::size_t size_of(const RequestJson& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().size() + 8;
  std::size_t size = 24;
  for (const auto& member : value) {
    if (value.is_structured()) size += size_of(member) + 24;
  }
  return size;
}

void append_json(const RequestJson& value, std::string& out) {
  if (value.is_string()) return append_text(value.get_ref<const std::string&>(), out);
  if (!value.is_structured()) {
    out += value.dump();
    return;
  }
  out += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, member] : value.items()) {
    if (!std::exchange(first, false)) out += ',';
    if (value.is_object()) {
      append_text(key, out);
      out += ':';
    }
    append_json(member, out);
  }
  out += value.is_object() ? '}' : ']';
}

}  // namespace

HttpRequest post_json(std::string url, const RequestJson& body, Headers further) {
  HttpRequest request;
  request.url = std::move(url);
  request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  request.headers.insert(request.headers.end(), further.begin(), further.end());
  request.body.reserve(size_of(body));
  append_json(body, request.body);
  return request;
}

std::string data_url(const Image& image) { return base64(image.data, "data:" + image.media_type + ";base64,"); }

RequestJson role_message(const Message& message, RequestJson content) {
  return {{"role", message.from == Message::From::kUser ? "user" : "assistant"}, {"content", std::move(content)}};
}

std::string in_words(const Message& message) {
  std::string words;
  for (const ToolResult& result : message.results) words += result.text + "\n";
  words += message.text;
  for (const ToolCall& call : message.calls) {
    words += (words.empty() ? "" : "\n") + std::string("(I used the computer: ") +
             call.actions.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + ")";
  }
  return words.empty() ? "(no text)" : words;
}

}  // namespace da::planner::model
