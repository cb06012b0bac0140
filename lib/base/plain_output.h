// The one place through which std::cout, std::cerr and std::clog reach a terminal. Text of others (names of files,
// windows and steps, messages of libraries) may contain control characters, which would move the cursor, set the title
// or write the clipboard of the terminal. They become visible escapes (\u001b) here, even where a message forgot that.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace da {

// Which sequences stay as they are.
enum class Sequences {
  kNone,
  kOwn  // Those that this project's programs write: colours, and "\r\x1b[K" as a whole text, which clears a line.
};

// Returns the text with each control character (C0 but line feed and tab, DEL, C1) as \uXXXX, which JSON reads as the
// same character. `pending` has an unfinished UTF-8 character of the text before; it becomes that of this text.
std::string without_controls(std::string_view text, std::string& pending, Sequences allowed);

// While it exists, everything that is written to the three streams passes without_controls(). Create it first in
// main(); one at a time.
class PlainOutput {
 public:
  PlainOutput();
  ~PlainOutput();
  PlainOutput(const PlainOutput&) = delete;
  PlainOutput& operator=(const PlainOutput&) = delete;

 private:
  struct Streams;
  std::unique_ptr<Streams> streams_;
};

}  // namespace da
