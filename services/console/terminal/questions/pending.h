// An approval or a model's question that waits for a person's line at the terminal. Owner's thread.
#pragma once

#include <string>

namespace da::console {

class Pending {
 public:
  virtual ~Pending() = default;

  virtual const std::string& id() const = 0;
  // The text to read before answering: several lines, without the last line break.
  virtual std::string text() const = 0;
  // The commands that answer it without a terminal.
  virtual std::string commands() const = 0;
  virtual std::string prompt() const = 0;

  enum class Takes { kWords, kAnyText };
  virtual Takes takes() const = 0;

  enum class Then { kEnded, kAskAgain };
  // Sends the answer, and prints errors for the person.
  virtual Then answer(const std::string& line) = 0;
};

}  // namespace da::console
