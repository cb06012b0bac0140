// What a replay decided, compared with the recording step by step: proposals, verdicts, outcomes and the end. Pure.
#pragma once

#include <string>
#include <vector>

#include "services/console/replay/step_trace.h"

namespace da::console {

// One thing that differs. Texts are for people; foreign ones are escaped.
struct Difference {
  std::size_t step = 0;  // Counted from 1; 0: the task's end.
  std::string what;      // "proposal", "verdict", "outcome" or "end".
  std::string recorded;
  std::string replayed;
};

std::vector<Difference> compare(const StepTrace& recorded, const StepTrace& replayed);

// A JSON object a line for each step and one for the end, without ids and times: equal replays give equal bytes.
std::string trace_lines(const StepTrace& trace);

// Compares the replay with such lines of before. The first line that differs; empty if none does.
std::string first_difference(const std::string& expected, const StepTrace& replayed);

}  // namespace da::console
