// What waits for a person: approvals before questions of models, each in the order in which it came. At a terminal one
// is asked about at a time: what stands last on the screen is what the next line answers. Where that ends without the
// person's answer, a line for it may be half typed, and must not reach what comes next, which somebody else may have
// chosen: nothing is asked until nothing was typed for a while. Owner's thread.
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
#include "services/console/terminal/pending.h"

namespace da::console {

// Longer than a person who types rests between two keys, and long enough to see that something else is asked.
constexpr Milliseconds kQuiet{1500};

// The planner asks one at a time. One that is in somebody else's hands may not fill memory and screen.
constexpr std::size_t kMostQuestions = 4;

class PendingQueue {
 public:
  enum class Kind { kApproval, kQuestion };
  // Of the index-th id.
  using Make = std::function<std::unique_ptr<Pending>(std::size_t index)>;

  // Without a terminal each is only shown, with the commands that answer it. discard_typed drops what was typed and not
  // read yet. What is given must outlive it.
  enum class Mode { kAsks, kShows };
  PendingQueue(std::ostream& out, Mode mode, const Clock& clock, std::function<void()> discard_typed)
      : out_(out), mode_(mode), clock_(clock), discard_typed_(std::move(discard_typed)) {}

  // These are all of that kind that wait now (of questions, the first kMostQuestions are taken): adds what is new,
  // forgets what was answered elsewhere. Call it again and again: it also ends a wait for quiet.
  void refresh(Kind kind, const std::vector<std::string>& listed, const Make& make);

  // Null where nobody is asked.
  const Pending* asked() const;
  // The line answers what is asked; there must be something.
  void answer(const std::string& line);
  // What was typed so far was meant for something else.
  void prompt();

  bool waits_for_quiet() const { return quiet_at_.has_value(); }
  // Something was typed meanwhile, and dropped.
  void disturb();

  // From now on, what comes is only shown.
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
  std::optional<MonoTime> quiet_at_;  // While nothing is asked for that reason.
  bool disturbed_ = false;
};

}  // namespace da::console
