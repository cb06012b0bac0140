#include "services/console/terminal/questions/pending_question.h"

#include <unistd.h>

#include <iostream>

#include "lib/base/text.h"
#include "lib/os/process/local_person.h"
#include "services/console/terminal/stream/event_text.h"

namespace da::console {

std::string PendingQuestion::text() const {
  return question_text(question_, system_clock().wall_now(), columns_of(STDERR_FILENO));
}

std::string PendingQuestion::commands() const { return "da-console answer " + id() + " \"...\""; }

std::string PendingQuestion::prompt() const { return "answer " + id() + " (one line, to the model): "; }

Pending::Then PendingQuestion::answer(const std::string& line) {
  if (shows_nothing(line)) return Then::kAskAgain;
  const auto sent = planner_.answer(id(), line, os::local_person());
  if (sent) return Then::kEnded;
  std::cerr << escape_foreign(sent.error().message, 4000) << "\n";
  return sent.error().code == Code::kNotFound ? Then::kEnded : Then::kAskAgain;
}

}  // namespace da::console
