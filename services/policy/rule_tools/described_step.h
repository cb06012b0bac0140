// A step that people describe to try rules on it: the call, and the evidence that the actuator would find.
//
//   {"tool": "write", "args": {"text": "rm -rf ~"},
//    "window": "me@host: ~", "process": "xterm", "element": "", "role": "terminal", "element_state": ["focused"],
//    "write_lock": "open"}
//
// window (title), process (file name or path of the program), element (name), role and element_state describe the
// keyboard focus, the place under the pointer, or the named window, depending on the tool; missing keys are unknown
// values. drop: the same five for the end of a drag. path: the file of file_delete, or the program of launch; argv: the
// words of launch; both default to the words of the command. typed_before: text that the task typed there earlier.
// run_dialog: text that the task typed after a chord opened a run dialog. write_lock: "open" or "closed" (default).
// desktop, planner, allowed_tools: of the task. time: "14:30", default noon. repeats: the number of earlier steps that
// met the same rules. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "da/v1/plan.pb.h"
#include "lib/base/result.h"
#include "services/policy/judgement/judge.h"

namespace da::policy {

using Json = nlohmann::json;

struct DescribedStep {
  v1::Step step;
  v1::Evidence evidence;
  Circumstances circumstances;
  std::uint32_t repeats = 0;
};

// kInvalidArgument names the key; unknown keys are errors.
Result<DescribedStep> describe_step(const Json& object);

}  // namespace da::policy
