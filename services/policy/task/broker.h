// Handles submitted steps: checks the token and the limits of the request, and runs a Submission (submission.h).
// Errors: kUnauthenticated (token), kInvalidArgument (no step id, or too large), kUnavailable and kDeadlineExceeded
// (da-actuator failed before it did anything), kCancelled (the caller went away). Any thread; submit() blocks for as
// long as a person takes to answer.
#pragma once

#include <stop_token>

#include "da/v1/policy_rpc.pb.h"
#include "lib/base/result.h"
#include "services/policy/task/submission.h"

namespace da::policy {

class Broker {
 public:
  explicit Broker(const PolicyContext& context) : context_(context) {}

  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, std::stop_token stop);

 private:
  const PolicyContext context_;
};

}  // namespace da::policy
