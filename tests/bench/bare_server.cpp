// Answers Submit, Prepare and Execute at once with what stands in files: what the wire alone costs, with the same
// server settings as the services'. Usage: bare_server ADDRESS DIRECTORY READY_FD. Ends with its parent.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "da/v1/policy_rpc.grpc.pb.h"
#include "lib/rpc/polling.h"
#include "lib/rpc/server.h"
#include "tests/bench/bare_messages.h"

namespace {

using namespace da;

class BarePolicy final : public v1::Policy::Service {
 public:
  explicit BarePolicy(const bench::BareMessages& messages) : messages_(messages) {}
  grpc::Status Submit(grpc::ServerContext*, const v1::SubmitRequest*, v1::SubmitReply* reply) override {
    *reply = messages_.submitted;
    return grpc::Status::OK;
  }

 private:
  const bench::BareMessages& messages_;
};

class BareActuator final : public v1::Actuator::Service {
 public:
  explicit BareActuator(const bench::BareMessages& messages) : messages_(messages) {}
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
};

Result<void> serve(const std::string& address, const std::string& directory, int ready_fd) {
  ASSIGN_OR_RETURN(const auto messages, bench::BareMessages::load_replies(directory));
  BarePolicy policy(messages);
  BareActuator actuator(messages);
  ASSIGN_OR_RETURN(const auto server, rpc::Server::listen(address, {&policy, &actuator}));
  static_cast<void>(!write(ready_fd, "r", 1));
  while (true) pause();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rpc::choose_polling();
  const auto served = serve(argv[1], argv[2], std::atoi(argv[3]));
  std::cerr << "bare_server: " << served.error().message << "\n";
  return 1;
}
