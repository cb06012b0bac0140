#include "services/planner/ask_user.h"

#include "lib/base/text.h"

namespace da::planner {

std::string in_words(Milliseconds duration) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(duration).count();
  if (seconds % 60 != 0) return std::to_string(seconds) + " s";
  return std::to_string(seconds / 60) + (seconds == 60 ? " minute" : " minutes");
}

Result<Answer> ask_user(const v1::Step& step, const std::string& task_id, Sight& sight, Questions& questions) {
  const std::string& question = step.action().ask_user().question();
  if (shows_nothing(question)) return Answer{false, "the question is empty"};
  ASSIGN_OR_RETURN(const auto answer,
                   questions.ask({task_id, step.step_id(), question, sight.time_limit()}, sight.cancel().thinking()));
  if (!answer) return Answer{false, "nobody answered within " + in_words(questions.expiry())};
  // Each character may need a backslash before it.
  return Answer{true, "the person answered: " + quote_foreign(*answer, 2 * kMaxAnswerCharacters)};
}

}  // namespace da::planner
