// Finds a target's name in recognized text. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "da/v1/observer_rpc.pb.h"
#include "services/observer/locate/located_target.h"
#include "services/observer/text/ocr.h"

namespace da::observer {

// Best first. Bounds are those of the matching words, in desktop pixels. Lines are in pixels of the frame, whose top
// left corner is desktop pixel `origin`.
std::vector<v1::Candidate> match_text(std::span<const OcrLine> lines, Point origin, const LocatedTarget& target);

}  // namespace da::observer
