#include "services/console/terminal/pending_queue.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::console {

void PendingQueue::refresh(Kind kind, const std::vector<std::string>& ids, const Make& make) {
  const auto is_over = [&](const Waiting& known) {
    return known.kind == kind && std::ranges::find(ids, known.pending->id()) == ids.end();
  };
  const bool asks_another = waiting_.empty() || is_over(waiting_.front());
  std::erase_if(waiting_, is_over);
  std::string added;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!shown_.insert({kind, ids[i]}).second) continue;
    waiting_.push_back({kind, make(i)});
    const Pending& pending = *waiting_.back().pending;
    added += (kind == Kind::kApproval ? " approval " : " question ") + escape_foreign(pending.id(), 40);
    if (mode_ == Mode::kShows) out_ << pending.text() << "\n  answer with: " << pending.commands() << std::endl;
  }
  if (mode_ == Mode::kShows || waiting_.empty()) return;
  if (asks_another) return ask();
  if (added.empty()) return;
  out_ << "\nafter this comes" << added << "\n";
  prompt();
}

void PendingQueue::answer(const std::string& line) {
  if (waiting_.front().pending->answer(line) == Pending::Then::kAskAgain) return prompt();
  waiting_.pop_front();
  if (!waiting_.empty()) ask();
}

void PendingQueue::ask() {
  out_ << waiting_.front().pending->text() << "\n";
  prompt();
}

void PendingQueue::prompt() {
  discard_typed_();
  out_ << waiting_.front().pending->prompt() << std::flush;
}

}  // namespace da::console
