// Evidence with its bytes on the wire. The actuator makes the bytes once; the policy's grant names the digest of the
// bytes that it received. Protobuf does not promise that another build serialises the same message to the same bytes.
// Any thread.
#pragma once

#include <string>

#include "da/v1/verdict.pb.h"
#include "lib/base/result.h"

namespace da::contract {

struct SealedEvidence {
  v1::Evidence evidence;
  std::string bytes;

  std::string digest() const;  // BLAKE2b-256 of the bytes.
};

SealedEvidence seal(v1::Evidence evidence);
// kDataLoss if the bytes are no evidence.
Result<SealedEvidence> unseal(std::string bytes);

}  // namespace da::contract
