#include "services/console/terminal/questions/pending_queue.h"

#include <algorithm>
#include <span>

#include "lib/base/text.h"

namespace da::console {
namespace {

std::string title_of(PendingQueue::Kind kind, const Pending& pending) {
  return (kind == PendingQueue::Kind::kApproval ? "approval " : "question ") + escape_foreign(pending.id(), 40);
}

}  // namespace

void PendingQueue::refresh(Kind kind, const std::vector<std::string>& listed, const Make& make) {
  const auto ids =
      std::span(listed).first(kind == Kind::kQuestion ? std::min(listed.size(), kMostQuestions) : listed.size());
  const auto is_over = [&](const Waiting& known) {
    return known.kind == kind && std::ranges::find(ids, known.pending->id()) == ids.end();
  };
  const bool asked_nothing = asked() == nullptr;
  if (!asked_nothing && is_over(waiting_.front())) wait_for_quiet(waiting_.front());
  std::erase_if(waiting_, is_over);
  // Keep answered ids while the list names them: the list may be older than the answer.
  std::erase_if(shown_, [&](const auto& known) {
    return known.first == kind && std::ranges::find(ids, known.second) == ids.end();
  });
  std::string added;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!shown_.insert({kind, ids[i]}).second) continue;
    const Pending& pending = add({kind, make(i)});
    added += " " + title_of(kind, pending);
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

// The asked entry stays in front.
const Pending& PendingQueue::add(Waiting waiting) {
  auto place = waiting_.end();
  if (waiting.kind == Kind::kApproval) {
    place = std::ranges::find(waiting_.begin() + (asked() != nullptr ? 1 : 0), waiting_.end(), Kind::kQuestion,
                              &Waiting::kind);
  }
  return *waiting_.insert(place, std::move(waiting))->pending;
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
       << title_of(over.kind, *over.pending)
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
