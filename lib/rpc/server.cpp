#include "lib/rpc/server.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>

#include "lib/rpc/call_authorizer.h"
#include "lib/rpc/entrance.h"
#include "lib/rpc/tls.h"

namespace da::rpc {
namespace {

constexpr std::chrono::milliseconds kStopGrace{200};
// A halt notifies others, waits for the current step to end and for the disk: half a second each.
constexpr Milliseconds kHaltGrace{1500};
// The contract's largest message is a UI tree; frames are sent in chunks of 1 MiB.
constexpr int kMaxMessageBytes = 8 << 20;
// Concurrent calls and streams of one connection; each may occupy a thread.
constexpr int kMaxStreams = 100;

}  // namespace

Result<std::unique_ptr<Server>> Server::listen(const std::string& address, const std::vector<grpc::Service*>& services,
                                               const identity::Credentials& credentials) {
  const os::ConnectionLimits limits = os::ConnectionLimits::of_process();
  ASSIGN_OR_RETURN(auto entrance, Entrance::open(address, limits));
  const auto authorizer = std::make_shared<CallAuthorizer>(credentials.peers, *entrance, limits);
  const auto transport = tls_for_serving(credentials);
  transport->SetAuthMetadataProcessor(make_auth_processor(authorizer));
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(make_call_interceptors(authorizer));
  grpc::ServerBuilder builder;
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  entrance->add_to(builder, transport);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, static_cast<int>(Entrance::kHandshakeTime.count()));
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreams);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  // One thread waits for calls, and each handler runs on a thread of its own. Frequent calls use unary streams, whose
  // threads wait for themselves.
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return Error{Code::kUnavailable, "cannot serve at " + address + ": is another service there?"};
  RETURN_IF_ERROR(entrance->start());
  return std::unique_ptr<Server>(new Server(std::move(entrance), authorizer, std::move(server)));
}

Server::Server(std::unique_ptr<Entrance> entrance, std::shared_ptr<CallAuthorizer> authorizer,
               std::unique_ptr<grpc::Server> server)
    : entrance_(std::move(entrance)), authorizer_(std::move(authorizer)), server_(std::move(server)) {}

Server::~Server() { stop(); }

void Server::stop() {
  authorizer_->wait_for_halts(kHaltGrace);
  entrance_->stop();
  server_->Shutdown(std::chrono::system_clock::now() + kStopGrace);
}

}  // namespace da::rpc
