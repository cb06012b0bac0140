// The policy's interface to the actuator; actuator_client_rpc.h implements it over gRPC. Any thread.
// Errors: kUnavailable (not reachable), kDeadlineExceeded (it hangs), kCancelled (stop was requested), or the
// actuator's own; each one names it.
#pragma once

#include <stop_token>
#include <string>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/contract/evidence/sealed_evidence.h"

namespace da::policy {

class Actuator {
 public:
  virtual ~Actuator() = default;
  virtual Result<contract::SealedEvidence> prepare(const v1::PrepareRequest& request, Milliseconds timeout,
                                                   std::stop_token stop) = 0;
  // If it returns an error, the actuator may or may not have acted.
  virtual Result<v1::Outcome> execute(const v1::ExecuteRequest& request, Milliseconds timeout,
                                      std::stop_token stop) = 0;
  virtual Result<void> halt(const std::string& reason) = 0;
  virtual Result<void> pause(const std::string& reason) = 0;
  // Ends a halt and a pause.
  virtual Result<void> resume() = 0;
  // The request names the open tasks; the reply tells the actuator's halt and pause.
  virtual Result<v1::HeartbeatReply> heartbeat(const v1::HeartbeatRequest& request, std::stop_token stop) = 0;
};

}  // namespace da::policy
