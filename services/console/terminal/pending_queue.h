// What waits for a person, in the order in which it came. At a terminal one is asked about at a time: what stands last
// on the screen is what the next line answers. Owner's thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "services/console/terminal/pending.h"

namespace da::console {

class PendingQueue {
 public:
  enum class Kind { kApproval, kQuestion };
  // Of the index-th id.
  using Make = std::function<std::unique_ptr<Pending>(std::size_t index)>;

  // Without a terminal each is only shown, with the commands that answer it. discard_typed drops what was typed and not
  // read yet. What is given must outlive it.
  enum class Mode { kAsks, kShows };
  PendingQueue(std::ostream& out, Mode mode, std::function<void()> discard_typed)
      : out_(out), mode_(mode), discard_typed_(std::move(discard_typed)) {}

  // These are all of that kind that wait now: adds what is new, forgets what was answered elsewhere.
  void refresh(Kind kind, const std::vector<std::string>& ids, const Make& make);

  // Null where nobody is asked.
  const Pending* asked() const { return waiting_.empty() ? nullptr : waiting_.front().pending.get(); }
  // The line answers what is asked; there must be something.
  void answer(const std::string& line);
  // What was typed so far was meant for something else.
  void prompt();
  // From now on, what comes is only shown.
  void ask_nobody() { mode_ = Mode::kShows; }

 private:
  struct Waiting {
    Kind kind;
    std::unique_ptr<Pending> pending;
  };
  void ask();

  std::ostream& out_;
  Mode mode_;
  const std::function<void()> discard_typed_;
  std::deque<Waiting> waiting_;
  std::set<std::pair<Kind, std::string>> shown_;
};

}  // namespace da::console
