// Finds a target's name in recognized text. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "da/v1/observer_rpc.pb.h"
#include "services/observer/locate/located_target.h"
#include "services/observer/text/ocr.h"

namespace da::observer {

// name_score() of a text that was read. A reader without the data of a language leaves out its accents, so a text
// without any may be the name without its own.
double read_name_score(const std::string& read, const std::string& wanted);

// Best first. Bounds are those of the matching words, in desktop pixels. Lines are in pixels of the frame, whose top
// left corner is desktop pixel `origin`.
std::vector<v1::Candidate> match_text(std::span<const OcrLine> lines, Point origin, const LocatedTarget& target);

}  // namespace da::observer
