// Authorizes each call before its handler runs: the caller must be a known peer whose role may call the method
// (lib/identity/permissions.h). Cancels running calls of peers that are revoked. Tracks halts that are not answered
// yet. Only lib/rpc includes this.
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
#include "lib/os/network/connection_limits.h"
#include "lib/rpc/entrance.h"

namespace da::rpc {

// Any thread.
class CallAuthorizer {
 public:
  // `connections` must outlive all calls.
  CallAuthorizer(std::shared_ptr<identity::KnownPeers> peers, Entrance& connections,
                 const os::ConnectionLimits& limits);

  // OK, UNAUTHENTICATED, PERMISSION_DENIED, UNAVAILABLE (unreadable peers file), or RESOURCE_EXHAUSTED (too many
  // calls).
  grpc::Status admit(const grpc::AuthContext& caller, std::string_view method);

  // The start of a call, and its end after its answer was sent.
  void begin(grpc::ServerContextBase& call, std::string_view method);
  void end(grpc::ServerContextBase& call);

  // Waits until every running halt is answered, at most this long.
  void wait_for_halts(Milliseconds at_most);

 private:
  struct Call {
    std::string fingerprint;
    bool is_halt;
  };
  void cancel_calls_of_unknown_peers();
  // Requires mutex_. A halt never exceeds the limit.
  bool exceeds_limit(const std::string& fingerprint, bool is_halt) const;
  std::string fingerprint_of(const grpc::AuthContext& caller);

  const std::shared_ptr<identity::KnownPeers> peers_;
  Entrance& connections_;
  const os::ConnectionLimits limits_;
  std::mutex mutex_;
  std::condition_variable halt_ended_;
  std::map<std::string, std::string, std::less<>> fingerprints_;  // Keyed by PEM: avoids parsing a certificate again.
  std::map<grpc::ServerContextBase*, Call> calls_;
  std::map<std::string, std::size_t> calls_of_;  // Keyed by fingerprint.
  const identity::KnownPeers::Listener listener_;
};

// The two hooks with which a gRPC server sees all its calls.
std::shared_ptr<grpc::AuthMetadataProcessor> make_auth_processor(std::shared_ptr<CallAuthorizer> authorizer);
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> make_call_interceptors(
    std::shared_ptr<CallAuthorizer> authorizer);

}  // namespace da::rpc
