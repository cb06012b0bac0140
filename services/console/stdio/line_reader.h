// Reads lines from a descriptor as they arrive. One thread.
//
//   while (poll says readable) if (!reader.fill()) break;   // end of file
//   while (auto line = reader.take()) ...
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace da::console {

class LineReader {
 public:
  struct Line {
    std::string text;  // Excludes the line break; empty if too_long.
    bool too_long = false;
  };

  // Drops the text of lines with more bytes than `most_bytes`.
  LineReader(int descriptor, std::size_t most_bytes) : descriptor_(descriptor), most_bytes_(most_bytes) {}

  // Reads once; blocks if nothing is there. False at the end of the file or after an error. Text after the last line
  // break is then a line of its own.
  bool fill();
  // The next complete line; nullopt if there is none yet.
  std::optional<Line> take();

 private:
  void append(const char* data, std::size_t size);
  void end_line();

  const int descriptor_;
  const std::size_t most_bytes_;
  Line open_;
  std::deque<Line> lines_;
};

}  // namespace da::console
