// Counts the parts of a task that were carried out, and those whose effect was proven. Pure; only the task's thread
// calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "da/v1/task.pb.h"
#include "services/planner/proposer.h"

namespace da::planner {

class ProofTally {
 public:
  // A step was carried out. The last step of a part decides whether the part is proven, in a loop that of each round; a
  // part without a number is the step itself. `why` says why it is not proven.
  void add(const Part& part, const std::string& step, bool proven, const std::string& why);
  // The part of this number was begun and then left out, so that its steps do not count; 0: none was.
  void leave_out(std::uint32_t part);
  // Call it once, at the task's end. carried_out: Proposer::parts_carried_out(). The part at which a task stopped
  // before it was done does not count, even if some of its steps were carried out. Also completes the summary of a task
  // that is done.
  void write(std::uint32_t carried_out, const Part& stopped_at, v1::TaskResult& result);

 private:
  // Forgets the last part's result, because another step of it follows.
  void take_back();
  std::string unproven_words() const;

  std::uint32_t parts_ = 0;
  std::uint32_t unproven_ = 0;
  std::uint32_t last_part_ = 0;  // 0: none, or a part without a number.
  std::uint32_t last_visit_ = 0;
  bool last_was_proven_ = true;
  bool earlier_round_is_unproven_ = false;  // Of the last part, which then stays so.
  std::deque<v1::UnprovenPart> kept_;
};

}  // namespace da::planner
