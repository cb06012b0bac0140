// Where recognised text shows what a target is called. Pure; any thread.
#pragma once

#include <span>
#include <vector>

#include "da/v1/observer_rpc.pb.h"
#include "services/observer/ocr.h"
#include "services/observer/target.h"

namespace da::observer {

// Best first. Bounds are desktop pixels and cover the words that were asked for, not the whole line. Lines are in
// pixels of the frame, whose top left corner is desktop pixel `origin`.
std::vector<v1::Candidate> match_text(std::span<const OcrLine> lines, Point origin, const Target& target);

}  // namespace da::observer
