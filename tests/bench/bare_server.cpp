// Answers Submit, Prepare and Execute at once with stored messages, to measure gRPC alone with the services' server
// settings. Usage: bare_server ADDRESS DIRECTORY READY_FD [ACTUATOR]. With the address of a bare actuator, Submit calls
// Prepare and Execute there before it answers. Ends with its parent.
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <optional>

#include "lib/rpc/call.h"
#include "lib/rpc/process.h"
#include "lib/rpc/tls.h"
#include "tests/bench/bare.grpc.pb.h"
#include "tests/bench/bare_messages.h"

namespace {

using namespace da;

constexpr Milliseconds kTimeout{5'000};

class BareService final : public bench::Bare::Service {
 public:
  BareService(const bench::BareMessages& messages, const std::string& actuator,
              const identity::Credentials& credentials)
      : messages_(messages) {
    if (!actuator.empty()) actuator_.emplace(rpc::Channel(identity::Role::kActuator, actuator, credentials));
  }
  grpc::Status Submit(grpc::ServerContext*, const v1::SubmitRequest*, v1::SubmitReply* reply) override {
    if (actuator_) {
      const auto prepared = actuator_->call("Prepare", &bench::Bare::Stub::Prepare, messages_.prepare, kTimeout);
      if (!prepared) return rpc::to_status(prepared.error());
      const auto executed = actuator_->call("Execute", &bench::Bare::Stub::Execute, messages_.execute, kTimeout);
      if (!executed) return rpc::to_status(executed.error());
    }
    *reply = messages_.submitted;
    return grpc::Status::OK;
  }
  grpc::Status Prepare(grpc::ServerContext*, const v1::PrepareRequest*, v1::Evidence* reply) override {
    *reply = messages_.evidence;
    return grpc::Status::OK;
  }
  grpc::Status Execute(grpc::ServerContext*, const v1::ExecuteRequest*, v1::Outcome* reply) override {
    *reply = messages_.outcome;
    return grpc::Status::OK;
  }

 private:
  const bench::BareMessages& messages_;
  std::optional<rpc::Client<bench::Bare>> actuator_;
};

Result<void> serve(const std::string& address, const std::string& directory, int ready_fd,
                   const std::string& actuator_address) {
  ASSIGN_OR_RETURN(const auto messages, bench::BareMessages::load(directory));
  ASSIGN_OR_RETURN(auto own, identity::load_identity(directory + "/actuator.identity.toml"));
  ASSIGN_OR_RETURN(auto peers, identity::load_peers(directory + "/peers/peers.toml"));
  const identity::Credentials credentials{std::make_shared<const identity::Identity>(std::move(own)),
                                          std::make_shared<identity::KnownPeers>(std::move(peers))};
  BareService bare(messages, actuator_address, credentials);
  // The fastest settings for unary calls.
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, rpc::tls_for_serving(credentials));
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 2);
  builder.RegisterService(&bare);
  const auto server = builder.BuildAndStart();
  if (!server) return Error{Code::kUnavailable, "cannot listen at " + address};
  static_cast<void>(!write(ready_fd, "r", 1));
  while (true) pause();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rpc::prepare_process([](const char*) {});
  const auto served = serve(argv[1], argv[2], std::atoi(argv[3]), argc > 4 ? argv[4] : "");
  std::cerr << "bare_server: " << served.error().message << "\n";
  return 1;
}
