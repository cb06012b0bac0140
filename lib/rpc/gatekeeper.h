// Asks of each call that a server gets whether its caller is a known peer whose role may call that method
// (lib/identity/permissions.h), before any handler sees it; and ends the running calls of a peer that is no longer
// known. It also knows which halts are still to be answered. Included by lib/rpc alone.
#pragma once

#include <grpcpp/security/auth_metadata_processor.h>
#include <grpcpp/support/server_interceptor.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "lib/base/clock.h"
#include "lib/identity/known_peers.h"
#include "lib/os/connection_limits.h"
#include "lib/rpc/acceptor.h"

namespace da::rpc {

// Any thread.
class Gatekeeper {
 public:
  // The connections must outlive all calls.
  Gatekeeper(std::shared_ptr<identity::KnownPeers> peers, Acceptor& connections, const os::ConnectionLimits& limits);

  // OK, UNAUTHENTICATED (unknown or revoked), PERMISSION_DENIED, UNAVAILABLE (who is known cannot be read), or
  // RESOURCE_EXHAUSTED (too many calls run).
  grpc::Status admit(const grpc::AuthContext& caller, std::string_view method);

  // A call from its start to its end, when its answer was sent.
  void begin(grpc::ServerContextBase& call, std::string_view method);
  void end(grpc::ServerContextBase& call);

  // Until every halt that was begun is answered, or that much time is over.
  void wait_for_halts(Milliseconds at_most);

 private:
  struct Call {
    std::string fingerprint;
    bool is_halt;
  };
  void end_calls_of_the_unknown();
  // With mutex_ held. A halt is never one too many.
  bool is_one_too_many(const std::string& fingerprint, bool is_halt) const;
  std::string fingerprint_of(const grpc::AuthContext& caller);

  const std::shared_ptr<identity::KnownPeers> peers_;
  Acceptor& connections_;
  const os::ConnectionLimits limits_;
  std::mutex mutex_;
  std::condition_variable halt_ended_;
  std::map<std::string, std::string, std::less<>> fingerprints_;  // By PEM; a few peers call often.
  std::map<grpc::ServerContextBase*, Call> calls_;
  std::map<std::string, std::size_t> calls_of_;  // By fingerprint.
  const identity::KnownPeers::Listening listening_;
};

// The two places where gRPC lets a server look at all its calls.
std::shared_ptr<grpc::AuthMetadataProcessor> admission(std::shared_ptr<Gatekeeper> gatekeeper);
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> supervision(
    std::shared_ptr<Gatekeeper> gatekeeper);

}  // namespace da::rpc
