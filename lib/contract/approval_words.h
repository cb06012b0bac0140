// Four words that stand for what is approved, so that two screens can be compared by a person: those of the console and
// of the desktop say the same words only if they speak of the same action and the same evidence.
//
// The first 64 bits of BLAKE2b-256 over "da.v1.approval", a zero byte, digest(action) and digest(evidence), as four
// proquints of 16 bits each (D. S. Wilkerson, "A Proposal for Proquints", arXiv 0901.4016). Pure; any thread.
#pragma once

#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::contract {

// "lusab babad gutih tugad"
std::string approval_words(const v1::Action& action, const v1::Evidence& evidence);

}  // namespace da::contract
