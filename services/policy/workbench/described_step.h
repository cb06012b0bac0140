// A step as people write it down to try rules on it: the call, and what the actuator would find where it acts.
//
//   {"tool": "write", "args": {"text": "rm -rf ~"},
//    "window": "me@host: ~", "process": "xterm", "element": "", "role": "terminal", "element_state": ["focused"],
//    "write_lock": "open"}
//
// window (title), process (file name or path of the program), element (name), role and element_state are those of what
// has the keyboard focus, of what is under the pointer, or of the window that is named, as the tool has it; what is
// left out could not be found out. drop: the same five for the end of a drag. path: the file of file_delete, the
// program of launch; argv: the words of launch; both are taken from the command where they are left out.
// typed_before: what the task has typed there already. run_dialog: a chord opened a dialog that starts programs, and
// this was typed since. write_lock: "open", else "closed". desktop and planner: of the task; allowed_tools: the only
// ones that it may use. time: "14:30", else noon. repeats: how many steps before it met the same rules. Pure; any
// thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "da/v1/plan.pb.h"
#include "lib/base/result.h"
#include "services/policy/judge.h"

namespace da::policy {

struct DescribedStep {
  v1::Step step;
  v1::Evidence evidence;
  Circumstances circumstances;
  std::uint32_t repeats = 0;
};

// kInvalidArgument names the key; unknown keys are errors.
Result<DescribedStep> describe_step(const nlohmann::json& object);

}  // namespace da::policy
