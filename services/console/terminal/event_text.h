// Facts as a person or a script reads them. Pure; any thread. All foreign text is escaped.
#pragma once

#include <string>

#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/bus/subscriber.h"
#include "services/console/terminal/foreign_lines.h"

namespace da::console {

// One line without a newline, such as "verdict   allow  launch command=\"mousepad\" (rule: applications)"; empty for a
// fact that says nothing to a person. `step` is the step of an outcome or an answer in words, where that is known.
std::string event_line(const bus::Fact& fact, const std::string& step = {});

// One JSON object on one line: {"topic":..., "lost_before":..., "fact":{...}}. Bytes of images are left out.
std::string event_json(const bus::Fact& fact);

// What an approver has to see, over several lines, for a terminal of this width (foreign_lines.h).
// picture is where its picture was kept; empty where there is none.
std::string approval_text(const v1::ApprovalRequest& request, const std::string& picture, WallTime now,
                          std::size_t columns = kUsualColumns);

// The same as one JSON line, with "picture" in place of the picture's bytes.
std::string approval_json(const v1::ApprovalRequest& request, const std::string& picture);
std::string question_json(const v1::UserQuestion& question);

}  // namespace da::console
