// How connections reach a gRPC server at one address. Only lib/rpc includes this.
//
// Linux: an Acceptor, which limits silent connections, handshakes and the connections of one peer. Windows: gRPC
// listens by itself, because it takes no accepted connection there, so none of these limits applies; the handshake
// timeout and the limits on calls do (docs/design/0028). Also gRPC has no unix sockets there.
#pragma once

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include <memory>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/network/connection_limits.h"

namespace da::rpc {

// The owner's thread, but assign_peer(): any thread.
class Entrance {
 public:
  // The server must close a connection without a certificate after this time.
  static constexpr Milliseconds kHandshakeTime{5'000};

  // Errors: see ListeningSocket::open().
  static Result<std::unique_ptr<Entrance>> open(const std::string& address, const os::ConnectionLimits& limits);
  virtual ~Entrance() = default;

  // Call it before the server is built. The entrance must outlive the server.
  virtual void add_to(grpc::ServerBuilder& builder, const std::shared_ptr<grpc::ServerCredentials>& transport) = 0;
  // Once the server has started: lets connections in. kUnavailable: the server does not listen.
  virtual Result<void> start() = 0;
  // Takes no new connections.
  virtual void stop() = 0;
  // See Acceptor::assign_peer().
  virtual bool assign_peer(const std::string& connection, const std::string& peer) = 0;
};

}  // namespace da::rpc
