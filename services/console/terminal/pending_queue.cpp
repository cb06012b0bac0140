#include "services/console/terminal/pending_queue.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::console {
namespace {

std::string name_of(PendingQueue::Kind kind, const Pending& pending) {
  return (kind == PendingQueue::Kind::kApproval ? "approval " : "question ") + escape_foreign(pending.id(), 40);
}

}  // namespace

void PendingQueue::refresh(Kind kind, const std::vector<std::string>& ids, const Make& make) {
  const auto is_over = [&](const Waiting& known) {
    return known.kind == kind && std::ranges::find(ids, known.pending->id()) == ids.end();
  };
  const bool asked_nothing = asked() == nullptr;
  if (!asked_nothing && is_over(waiting_.front())) wait_for_quiet(waiting_.front());
  std::erase_if(waiting_, is_over);
  std::string added;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!shown_.insert({kind, ids[i]}).second) continue;
    waiting_.push_back({kind, make(i)});
    const Pending& pending = *waiting_.back().pending;
    added += " " + name_of(kind, pending);
    if (mode_ == Mode::kShows) out_ << pending.text() << "\n  answer with: " << pending.commands() << std::endl;
  }
  if (mode_ == Mode::kShows) return;
  if (waits_for_quiet()) return end_quiet();
  if (waiting_.empty()) return;
  if (asked_nothing) return ask();
  if (added.empty()) return;
  out_ << "\nafter this comes" << added << "\n";
  prompt();
}

const Pending* PendingQueue::asked() const {
  const bool asks = mode_ == Mode::kAsks && !waits_for_quiet() && !waiting_.empty();
  return asks ? waiting_.front().pending.get() : nullptr;
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

void PendingQueue::wait_for_quiet(const Waiting& over) {
  discard_typed_();
  quiet_at_ = clock_.now() + kQuiet;
  disturbed_ = false;
  out_ << "\n"
       << name_of(over.kind, *over.pending)
       << " is over: answered elsewhere, withdrawn or expired. What you type now is dropped" << std::endl;
}

void PendingQueue::disturb() {
  quiet_at_ = clock_.now() + kQuiet;
  disturbed_ = true;
}

void PendingQueue::end_quiet() {
  if (clock_.now() < *quiet_at_) return;
  quiet_at_.reset();
  if (disturbed_) out_ << "\nwhat you typed meanwhile was dropped" << std::endl;
  if (!waiting_.empty()) ask();
}

void PendingQueue::ask_nobody() {
  mode_ = Mode::kShows;
  quiet_at_.reset();
}

}  // namespace da::console
