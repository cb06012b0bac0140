#include "services/console/report/page/html_writer.h"

#include <sodium.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lib/base/text.h"

namespace da::console {
namespace {

constexpr std::size_t kFlushBytes = 256 << 10;
constexpr std::size_t kEncodedAtOnce = 3 << 14;  // A multiple of 3, so that no padding is needed in between.

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

}  // namespace

void HtmlWriter::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kFlushBytes) flush();
}

void HtmlWriter::flush() {
  if (result_) result_ = sink_(buffer_);
  buffer_.clear();
}

HtmlWriter& HtmlWriter::operator<<(Markup markup) {
  write(markup.text);
  return *this;
}

HtmlWriter& HtmlWriter::operator<<(const Text& text) {
  write(html_escaped(escape_foreign(text.text, text.max_characters)));
  return *this;
}

HtmlWriter& HtmlWriter::operator<<(const Foreign& text) {
  write("<bdi>");
  write(html_escaped(escape_foreign(text.text, text.max_characters)));
  write("</bdi>");
  return *this;
}

HtmlWriter& HtmlWriter::operator<<(const ForeignLines& text) {
  write("<bdi>");
  write(html_escaped(escape_foreign_lines(text.text, text.max_characters)));
  write("</bdi>");
  return *this;
}

HtmlWriter& HtmlWriter::operator<<(const Decimal& number) {
  constexpr double kMost = 1e9;
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", std::isfinite(number.value) ? std::clamp(number.value, -kMost, kMost) : 0.0);
  write(text);
  return *this;
}

HtmlWriter& HtmlWriter::operator<<(const DataUrl& file) {
  write("data:");
  write(file.media_type);
  write(";base64,");
  std::string encoded;
  for (std::size_t at = 0; at < file.bytes.size(); at += kEncodedAtOnce) {
    const std::string_view part = file.bytes.substr(at, kEncodedAtOnce);
    encoded.resize(sodium_base64_encoded_len(part.size(), sodium_base64_VARIANT_ORIGINAL));
    sodium_bin2base64(encoded.data(), encoded.size(), reinterpret_cast<const unsigned char*>(part.data()), part.size(),
                      sodium_base64_VARIANT_ORIGINAL);
    write(std::string_view(encoded).substr(0, encoded.size() - 1));  // Omits the final zero.
  }
  return *this;
}

Result<void> HtmlWriter::finish() {
  flush();
  return result_;
}

}  // namespace da::console
