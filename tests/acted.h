// Whether a step was carried out, for tests that are not about the proof of its effect.
#pragma once

#include "da/v1/outcome.pb.h"

namespace da::test {

inline bool acted(const v1::Outcome& outcome) {
  return outcome.kind() == v1::Outcome::KIND_DISPATCHED || outcome.kind() == v1::Outcome::KIND_CONFIRMED;
}

}  // namespace da::test
