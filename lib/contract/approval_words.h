// Four words that identify an action and its evidence, so that a person can check that the console and the desktop ask
// about the same thing.
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
