// The answer to a command of a script, in the dialect of {"id","action","payload"}:
//
//   {"request_id":"7","status":"success","data":{"outcome":"dispatched"},"error":null}
//   {"request_id":"8","status":"fail","data":{"outcome":"denied"},"error":"denied by rule ..., click ..."}
//
// `data.outcome` is CommandAnswer.Result and `data.code` Outcome.Code, in lower case; both are for programs, `error`
// and `data.message` are for people. `data.windows` has the windows that a tool read, front to back, each with its tree
// of elements; `data.image` an image. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"

namespace da::console {

// Levels of `children`; deeper elements stand at the top level of their window.
inline constexpr int kMaxElementDepth = 100;

// Whether the command asked for windows: then the answer has a list of them, even an empty one.
enum class Windows { kIfAny, kAlways };

// One line without its line break. Safe to print on a terminal.
std::string answer_line(const std::string& request_id, const v1::CommandAnswer& answer,
                        Windows windows = Windows::kIfAny);

v1::CommandAnswer answer_of(v1::CommandAnswer::Result result, std::string message);

}  // namespace da::console
