// The last line of the terminal on stdout, which is redrawn below permanent lines. hold() stops drawing while other
// code writes to the terminal, such as a question. Any thread.
#pragma once

#include <mutex>
#include <string>

namespace da::console {

class StatusLine {
 public:
  // The maximum width of the text; 79 if the terminal reports none.
  static std::size_t columns();

  // Does nothing while held, or if the text is unchanged.
  void draw(const std::string& text);
  // Prints a permanent line.
  void print(const std::string& line);
  void hold();
  void release();

 private:
  void erase();

  std::mutex mutex_;
  bool held_ = false;
  std::string drawn_;
};

}  // namespace da::console
