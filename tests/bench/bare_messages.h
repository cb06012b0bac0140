// The messages of one real step, stored in files, so that the bare server's replies have exactly their size.
#pragma once

#include <filesystem>

#include "da/v1/actuator_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "lib/base/result.h"

namespace da::bench {

struct BareMessages {
  v1::SubmitRequest submit;
  v1::SubmitReply submitted;
  v1::PrepareRequest prepare;
  v1::Evidence evidence;
  v1::ExecuteRequest execute;
  v1::Outcome outcome;

  Result<void> save(const std::filesystem::path& directory) const;
  // All messages except `submit`.
  static Result<BareMessages> load(const std::filesystem::path& directory);
};

}  // namespace da::bench
