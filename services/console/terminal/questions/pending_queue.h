// The queue of what waits for a person: approvals before models' questions, each oldest first. At a terminal it asks
// one at a time, and the next line answers the last one shown. If an entry ends without the person's answer (an
// attacker may choose the moment), a half-typed line must not answer the next entry: the queue drops input and asks
// nothing until no key was typed for kQuiet. Owner's thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/clock.h"
#include "services/console/terminal/questions/pending.h"

namespace da::console {

// Longer than the pause between two keys of a person who types, and long enough to notice the new question.
constexpr Milliseconds kQuiet{1500};

// A planner asks one at a time; the limit is for a compromised planner, which must not fill memory and screen.
constexpr std::size_t kMostQuestions = 4;

class PendingQueue {
 public:
  enum class Kind { kApproval, kQuestion };
  // Makes the entry for the id at `index`.
  using Make = std::function<std::unique_ptr<Pending>(std::size_t index)>;

  // kShows (no terminal): only prints each entry with the commands that answer it. discard_typed drops unread input.
  // All arguments must outlive the queue.
  enum class Mode { kAsks, kShows };
  PendingQueue(std::ostream& out, Mode mode, const Clock& clock, std::function<void()> discard_typed)
      : out_(out), mode_(mode), clock_(clock), discard_typed_(std::move(discard_typed)) {}

  // `listed`: all ids of that kind that wait now; only the first kMostQuestions questions count. Adds new entries and
  // drops those that were answered elsewhere. Call it repeatedly, because it also ends a wait for quiet.
  void refresh(Kind kind, const std::vector<std::string>& listed, const Make& make);

  // The entry that the next line answers; null if there is none.
  const Pending* asked() const;
  // Requires asked() != nullptr.
  void answer(const std::string& line);
  // Drops unread input and prints the prompt again.
  void prompt();

  bool waits_for_quiet() const { return quiet_at_.has_value(); }
  // Reports input during the wait for quiet: the wait starts again.
  void disturb();

  // Switches to kShows.
  void ask_nobody();

 private:
  struct Waiting {
    Kind kind;
    std::unique_ptr<Pending> pending;
  };
  const Pending& add(Waiting waiting);
  void ask();
  void wait_for_quiet(const Waiting& over);
  void end_quiet();

  std::ostream& out_;
  Mode mode_;
  const Clock& clock_;
  const std::function<void()> discard_typed_;
  std::deque<Waiting> waiting_;
  std::set<std::pair<Kind, std::string>> shown_;
  std::optional<MonoTime> quiet_at_;  // The end of a wait for quiet.
  bool disturbed_ = false;
};

}  // namespace da::console
