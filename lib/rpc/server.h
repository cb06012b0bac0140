// A gRPC server at one address. The destructor calls stop(). Owner's thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/identity/credentials.h"

namespace grpc {
class Server;
class Service;
}  // namespace grpc

namespace da::rpc {

class CallAuthorizer;
class Entrance;

class Server {
 public:
  // Serves known peers only, by their roles. `services` must outlive it. kAlreadyExists: another process listens.
  static Result<std::unique_ptr<Server>> listen(const std::string& address, const std::vector<grpc::Service*>& services,
                                                const identity::Credentials& credentials);
  ~Server();

  // Lets a running halt finish (1.5 s at most), because its caller must get the reply. Cancels other calls after 0.2 s.
  void stop();

 private:
  Server(std::unique_ptr<Entrance> entrance, std::shared_ptr<CallAuthorizer> authorizer,
         std::unique_ptr<grpc::Server> server);

  const std::unique_ptr<Entrance> entrance_;
  const std::shared_ptr<CallAuthorizer> authorizer_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace da::rpc
