#include "services/planner/model/request_json.h"

#include <string_view>
#include <utility>

#include "services/planner/model/base64.h"

namespace da::planner::model {
namespace {

// Without anything that JSON escapes or that may not be UTF-8, as base64 is.
bool is_plain(std::string_view text) {
  bool plain = true;
  for (const char c : text) plain &= c >= ' ' && c <= '~' && c != '"' && c != '\\';
  return plain;
}

// Images are nearly all of a body, and the JSON library looks at each byte for longer than the rest of a turn takes.
void append_text(const std::string& text, std::string& out) {
  if (is_plain(text)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += RequestJson(text).dump(-1, ' ', false, RequestJson::error_handler_t::replace);
  }
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
  append_json(body, request.body);
  return request;
}

std::string data_url(const Image& image) { return "data:" + image.media_type + ";base64," + base64(image.data); }

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
