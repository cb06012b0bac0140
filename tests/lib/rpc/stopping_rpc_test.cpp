#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/call.h"
#include "lib/rpc/server.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/temp_dir.h"

namespace da::rpc {
namespace {

using identity::Role;
using std::chrono::milliseconds;

// Longer than the grace period of calls other than a halt.
constexpr milliseconds kSlowDisk{600};

// A halt and a pause take as long as a slow disk, or hang until their call is cancelled.
class SlowService final : public v1::Actuator::Service {
 public:
  grpc::Status Halt(grpc::ServerContext* context, const v1::ActuatorHaltRequest*, v1::ActuatorHaltReply*) override {
    return work(*context);
  }
  grpc::Status Pause(grpc::ServerContext* context, const v1::ActuatorPauseRequest*, v1::ActuatorPauseReply*) override {
    return work(*context);
  }
  std::promise<void> entered_;
  bool hangs_ = false;

 private:
  grpc::Status work(const grpc::ServerContext& context) {
    entered_.set_value();
    const MonoTime end = system_clock().now() + kSlowDisk;
    while (!context.IsCancelled() && (hangs_ || system_clock().now() < end)) std::this_thread::yield();
    return grpc::Status::OK;
  }
};

class StoppingTest : public testing::Test {
 protected:
  // The reply to a call that was running when the server stopped.
  template <class Request, class Reply>
  Result<Reply> call_while_it_stops(grpc::Status (v1::Actuator::Stub::*method)(grpc::ClientContext*, const Request&,
                                                                               Reply*)) {
    auto answer =
        std::async(std::launch::async, [&] { return client_.call("it", method, Request(), Milliseconds(9000)); });
    service_.entered_.get_future().wait();
    const MonoTime before = system_clock().now();
    server_->stop();
    took_ = system_clock().now() - before;
    return answer.get();
  }

  const da::test::Deployment deployment_;
  const da::test::TempDir directory_;
  const std::string address_ = da::test::rpc_address(directory_.path(), "server");
  SlowService service_;
  const std::unique_ptr<Server> server_ = *Server::listen(address_, {&service_}, deployment_.of(Role::kActuator));
  const Client<v1::Actuator> client_{Channel(Role::kActuator, address_, deployment_.of(Role::kConsole))};
  MonoTime::duration took_{};
};

// Regression: when a halt ended the run, the caller of the halt got "cancelled".
TEST_F(StoppingTest, RunningHaltIsAnsweredBeforeStop) {
  const auto reply = call_while_it_stops(&v1::Actuator::Stub::Halt);
  EXPECT_TRUE(reply) << reply.error().message;
}

TEST_F(StoppingTest, HangingHaltDelaysStopOnlyBriefly) {
  service_.hangs_ = true;
  EXPECT_FALSE(call_while_it_stops(&v1::Actuator::Stub::Halt));
  EXPECT_LT(took_, milliseconds(2900));
}

TEST_F(StoppingTest, OtherCallsAreCancelled) {
  service_.hangs_ = true;
  EXPECT_FALSE(call_while_it_stops(&v1::Actuator::Stub::Pause));
  EXPECT_LT(took_, milliseconds(1400));
}

TEST_F(StoppingTest, StopsAtOnceWithoutCalls) {
  const MonoTime before = system_clock().now();
  server_->stop();
  EXPECT_LT(system_clock().now() - before, milliseconds(1000));
}

}  // namespace
}  // namespace da::rpc
