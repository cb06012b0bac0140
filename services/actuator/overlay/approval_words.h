// Four words that identify an action and its evidence, so that a person can check that the console and the desktop ask
// about the same thing.
//
// The first 64 bits of a keyed BLAKE2b-256 over digest(action) and digest(evidence), as four proquints of 16 bits each
// (D. S. Wilkerson, "A Proposal for Proquints", arXiv 0901.4016). The key is random, and only this object knows it: a
// console that lies cannot compute the words of the question that it would like to show. Any thread.
#pragma once

#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::actuator {

class ApprovalWords {
 public:
  ApprovalWords();

  // "lusab babad gutih tugad". The evidence without its own words.
  std::string of(const v1::Action& action, const v1::Evidence& evidence) const;

 private:
  const std::string key_;  // 64 bytes.
};

}  // namespace da::actuator
