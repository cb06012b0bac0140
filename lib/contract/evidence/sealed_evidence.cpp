#include "lib/contract/evidence/sealed_evidence.h"

#include <utility>

#include "lib/base/id.h"

namespace da::contract {

std::string SealedEvidence::digest() const { return blake2b(bytes); }

SealedEvidence seal(v1::Evidence evidence) {
  std::string bytes = evidence.SerializeAsString();
  return {std::move(evidence), std::move(bytes)};
}

Result<SealedEvidence> unseal(std::string bytes) {
  SealedEvidence sealed{{}, std::move(bytes)};
  if (!sealed.evidence.ParseFromString(sealed.bytes)) return Error{Code::kDataLoss, "the evidence cannot be parsed"};
  return sealed;
}

}  // namespace da::contract
