// Facts as text for people and JSON for scripts. Pure; any thread. All foreign text is escaped.
#pragma once

#include <string>

#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/bus/subscriber.h"
#include "services/console/terminal/questions/foreign_lines.h"

namespace da::console {

// One line without line break, such as "verdict   allow  launch command=\"mousepad\" (rule: applications)"; empty for
// facts that people do not need. `step`: the description of an outcome's or answer's step, if known.
std::string event_line(const bus::Fact& fact, const std::string& step = {});

// One JSON object on one line: {"topic":..., "lost_before":..., "fact":{...}}. Omits the bytes of images.
std::string event_json(const bus::Fact& fact);

// The text that an approver must see: several lines, for a terminal of this width (foreign_lines.h).
// picture: the path of its saved picture; empty if there is none.
std::string approval_text(const v1::ApprovalRequest& request, const std::string& picture, WallTime now,
                          std::size_t columns = kUsualColumns);

// As one JSON line, with the path in "picture" instead of the picture's bytes.
std::string approval_json(const v1::ApprovalRequest& request, const std::string& picture);

// The prompt text of a model's question: several lines, without the last line break. The question is quoted, escaped
// and broken with marks (foreign_lines.h), so that it cannot imitate this program's own text.
std::string question_text(const v1::UserQuestion& question, WallTime now, std::size_t columns = kUsualColumns);

std::string question_json(const v1::UserQuestion& question);

}  // namespace da::console
