// Writes HTML piece by piece. Only literals of this program are markup; every other text must say what it is and gets
// escaped, which the compiler checks: `html << "<b>" << Foreign{title} << "</b>"`. Foreign text never goes into an
// attribute. Not thread-safe. After an error of the sink nothing more is written, and finish() returns the error.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace da::console {

// Text of this program that is no literal, such as words with escaped foreign parts.
struct Text {
  std::string_view text;
  std::size_t max_characters = 2000;
};
// Text of a model, a window, a person or a file: control and invisible characters become visible escapes, and letters
// that run from right to left do not reorder what is around them.
struct Foreign {
  std::string_view text;
  std::size_t max_characters = 500;
};
// Like Foreign, with its line breaks.
struct ForeignLines {
  std::string_view text;
  std::size_t max_characters = 20'000;
};
// A number with one decimal place.
struct Decimal {
  double value;
};
// A file as a data: URL. The type must be one of this program's literals.
struct DataUrl {
  const char* media_type;
  std::string_view bytes;
};

class HtmlWriter {
 public:
  using Sink = std::function<Result<void>(std::string_view bytes)>;

  struct Markup {
    std::string_view text;
    consteval Markup(const char* literal) : text(literal) {}
  };

  explicit HtmlWriter(Sink sink) : sink_(std::move(sink)) {}

  HtmlWriter& operator<<(Markup markup);
  HtmlWriter& operator<<(const Text& text);
  HtmlWriter& operator<<(const Foreign& text);
  HtmlWriter& operator<<(const ForeignLines& text);
  HtmlWriter& operator<<(const Decimal& number);
  HtmlWriter& operator<<(const DataUrl& file);
  HtmlWriter& operator<<(std::integral auto number) {
    static_assert(!std::same_as<decltype(number), bool> && !std::same_as<decltype(number), char>);
    write(std::to_string(number));
    return *this;
  }

  Result<void> finish();

 private:
  void write(std::string_view bytes);
  void flush();

  const Sink sink_;
  std::string buffer_;
  Result<void> result_ = ok();
};

}  // namespace da::console
