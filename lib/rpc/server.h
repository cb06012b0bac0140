// A gRPC server on one address. Stops in its destructor, giving calls under way a moment to end. Owner's thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/identity/credentials.h"

namespace grpc {
class Server;
class Service;
namespace experimental {
class ExternalConnectionAcceptor;
}
}  // namespace grpc

namespace da::rpc {

class Acceptor;
class Gatekeeper;

class Server {
 public:
  // The services must outlive the server. A stale socket file of a dead process is replaced; one that is alive is
  // kAlreadyExists.
  // Answers known peers alone, and each only what its role may call.
  static Result<std::unique_ptr<Server>> listen(const std::string& address, const std::vector<grpc::Service*>& services,
                                                const identity::Credentials& credentials);
  ~Server();

  // A halt under way is answered first, as it may be why the server is stopped, and whoever halts has to learn that it
  // worked; for that, it waits 1.5 s at most. What else is still running is cancelled after a moment.
  void stop();

 private:
  using Entrance = std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor>;
  Server(std::unique_ptr<Acceptor> acceptor, std::shared_ptr<Gatekeeper> gatekeeper, Entrance entrance,
         std::unique_ptr<grpc::Server> server);

  const std::unique_ptr<Acceptor> acceptor_;
  const std::shared_ptr<Gatekeeper> gatekeeper_;
  const Entrance entrance_;  // Of connections into the server.
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace da::rpc
