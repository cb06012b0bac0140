// The last line of the terminal on stdout, which is drawn again and again, below whole lines that stay. While somebody
// else writes on the terminal (a question, say) it is held: nothing is drawn. Any thread.
#pragma once

#include <mutex>
#include <string>

namespace da::console {

class StatusLine {
 public:
  // So wide may the text be; 79 where the terminal does not say.
  static std::size_t columns();

  // Nothing where it is held, or shows this already.
  void draw(const std::string& text);
  // A line that stays.
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
