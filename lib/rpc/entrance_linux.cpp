#include "lib/rpc/acceptor.h"
#include "lib/rpc/entrance.h"

namespace da::rpc {
namespace {

class AcceptingEntrance final : public Entrance {
 public:
  explicit AcceptingEntrance(std::unique_ptr<Acceptor> acceptor) : acceptor_(std::move(acceptor)) {}

  void add_to(grpc::ServerBuilder& builder, const std::shared_ptr<grpc::ServerCredentials>& transport) override {
    using Experimental = grpc::ServerBuilder::experimental_type;
    connections_ =
        builder.experimental().AddExternalConnectionAcceptor(Experimental::ExternalConnectionType::FROM_FD, transport);
  }

  Result<void> start() override {
    acceptor_->start([this](os::UniqueFd connection) {
      grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters handed;
      handed.fd = connection.release();
      connections_->HandleNewConnection(&handed);
    });
    return ok();
  }

  void stop() override { acceptor_->stop(); }

  bool assign_peer(const std::string& connection, const std::string& peer) override {
    return acceptor_->assign_peer(connection, peer);
  }

 private:
  const std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections_;
};

}  // namespace

Result<std::unique_ptr<Entrance>> Entrance::open(const std::string& address, const os::ConnectionLimits& limits) {
  static_assert(Entrance::kHandshakeTime == Acceptor::kHandshakeTime);
  ASSIGN_OR_RETURN(auto acceptor, Acceptor::listen(address, limits));
  return std::unique_ptr<Entrance>(std::make_unique<AcceptingEntrance>(std::move(acceptor)));
}

}  // namespace da::rpc
