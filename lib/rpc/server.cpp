#include "lib/rpc/server.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>

#include "lib/rpc/acceptor.h"
#include "lib/rpc/gatekeeper.h"
#include "lib/rpc/tls.h"

namespace da::rpc {
namespace {

constexpr std::chrono::milliseconds kStopGrace{200};
// A halt tells others, waits for the step that it ends and for a disk: half a second each.
constexpr Milliseconds kHaltGrace{1500};
// The largest message of the contract is a UI tree; frames travel in chunks of 1 MiB.
constexpr int kMaxMessageBytes = 8 << 20;
// Calls and conversations of one connection at a time; each may hold a thread.
constexpr int kMaxStreams = 100;

}  // namespace

Result<std::unique_ptr<Server>> Server::listen(const std::string& address, const std::vector<grpc::Service*>& services,
                                               const identity::Credentials& credentials) {
  const os::ConnectionLimits limits = os::ConnectionLimits::of_process();
  ASSIGN_OR_RETURN(auto acceptor, Acceptor::listen(address, limits));
  const auto gatekeeper = std::make_shared<Gatekeeper>(credentials.peers, *acceptor, limits);
  const auto transport = tls_for_serving(credentials);
  transport->SetAuthMetadataProcessor(admission(gatekeeper));
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(supervision(gatekeeper));
  grpc::ServerBuilder builder;
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  using Experimental = grpc::ServerBuilder::experimental_type;
  auto entrance =
      builder.experimental().AddExternalConnectionAcceptor(Experimental::ExternalConnectionType::FROM_FD, transport);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, static_cast<int>(Acceptor::kHandshakeTime.count()));
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreams);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  // One thread waits for calls, and a running handler takes a thread of its own: what is frequent are conversations,
  // whose threads wait for themselves, and each thread more that waits at a socket is woken by what is not for it.
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return Error{Code::kUnavailable, "cannot serve at " + address};
  acceptor->start([entrance = entrance.get()](os::UniqueFd connection) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters handed;
    handed.fd = connection.release();
    entrance->HandleNewConnection(&handed);
  });
  return std::unique_ptr<Server>(new Server(std::move(acceptor), gatekeeper, std::move(entrance), std::move(server)));
}

Server::Server(std::unique_ptr<Acceptor> acceptor, std::shared_ptr<Gatekeeper> gatekeeper, Entrance entrance,
               std::unique_ptr<grpc::Server> server)
    : acceptor_(std::move(acceptor)),
      gatekeeper_(std::move(gatekeeper)),
      entrance_(std::move(entrance)),
      server_(std::move(server)) {}

Server::~Server() { stop(); }

void Server::stop() {
  gatekeeper_->wait_for_halts(kHaltGrace);
  acceptor_->stop();
  server_->Shutdown(std::chrono::system_clock::now() + kStopGrace);
}

}  // namespace da::rpc
