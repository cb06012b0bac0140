// Something that waits for a person's line at the terminal: an approval, or a question of a model. Owner's thread.
#pragma once

#include <string>

namespace da::console {

class Pending {
 public:
  virtual ~Pending() = default;

  virtual const std::string& id() const = 0;
  // What a person has to see before the answer, over several lines, without the last line break.
  virtual std::string text() const = 0;
  // How it is answered where there is no terminal.
  virtual std::string commands() const = 0;
  // What stands before the line that is typed.
  virtual std::string prompt() const = 0;

  enum class Takes { kWords, kAnyText };
  virtual Takes takes() const = 0;

  enum class Then { kEnded, kAskAgain };
  // Sends what the line says, and tells the person what went wrong.
  virtual Then answer(const std::string& line) = 0;
};

}  // namespace da::console
