#include "services/console/terminal/question_text.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::console {

std::string question_text(const v1::UserQuestion& question, WallTime now, std::size_t columns) {
  const auto left = (question.expires_wall_ns() - now.time_since_epoch().count()) / 1'000'000'000;
  // Whole: the catalogue bounds its length.
  const std::string whole = quote_foreign(question.question(), 2 * question.question().size());
  return marked_lines("question " + escape_foreign(question.question_id(), 40) + " of a model (untrusted): " + whole,
                      columns) +
         "\n  Do not tell it passwords, codes or keys: the model's provider reads the answer, and records keep it." +
         "\n  An answer approves nothing. The question expires in " + std::to_string(std::max<std::int64_t>(0, left)) +
         " s; then the model goes on without an answer";
}

}  // namespace da::console
