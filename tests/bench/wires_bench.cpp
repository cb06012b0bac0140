// Measures what encryption adds to a step: policy and actuator over loopback TCP, once with mutual TLS and a CURVE bus
// that a console reads, once with plain gRPC and a bus in memory. All runs in one process, because our services never
// speak without TLS. The steps of both alternate. All files are in memory (/dev/shm).
#include <benchmark/benchmark.h>
#include <grpcpp/channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "lib/bus/memory_transport.h"
#include "lib/bus/topics.h"
#include "lib/bus/zmq_transport.h"
#include "lib/contract/json/parse.h"
#include "lib/rpc/process.h"
#include "lib/rpc/server.h"
#include "lib/rpc/unary_stream.h"
#include "services/actuator/actuator_rpc.h"
#include "services/actuator/desktop/fake/fake_desktop.h"
#include "services/policy/grant/actuator_client_rpc.h"
#include "services/policy/policy.h"
#include "services/policy/policy_rpc.h"
#include "tests/deployment.h"
#include "tests/services/policy/test_key.h"
#include "tests/temp_dir.h"

namespace da::bench {
namespace {

using identity::Role;

constexpr Milliseconds kTimeout{5'000};
constexpr int kWarmUp = 200;
constexpr int kSteps = 2'000;
constexpr char kDesktop[] = "fake:0";

enum class Wires { kPlain, kEncrypted };

// A server with one service and its own port.
class Served {
 public:
  Served(Wires wires, grpc::Service& service, Role role, const test::Deployment& deployment) {
    if (wires == Wires::kEncrypted) {
      // rpc::Server does not report the port that gRPC chose, so choose it here.
      static int next_port = 47'700;
      address_ = "ipv4:127.0.0.1:" + std::to_string(next_port++);
      encrypted_ = rpc::Server::listen(address_, {&service}, deployment.of(role)).value();
      return;
    }
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
    builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
    builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
    builder.RegisterService(&service);
    plain_ = builder.BuildAndStart();
    address_ = "ipv4:127.0.0.1:" + std::to_string(port);
  }
  ~Served() {
    if (plain_) plain_->Shutdown(std::chrono::system_clock::now());
  }
  rpc::Channel channel(Role server, Role caller, const test::Deployment& deployment) const {
    if (encrypted_) return {server, address_, deployment.of(caller)};
    return {"da-plain", address_, grpc::InsecureChannelCredentials()};
  }

 private:
  std::string address_;
  std::unique_ptr<rpc::Server> encrypted_;
  std::unique_ptr<grpc::Server> plain_;
};

std::filesystem::path made(const std::filesystem::path& directory) {
  std::filesystem::create_directory(directory);
  std::filesystem::permissions(directory, std::filesystem::perms::owner_all);
  return directory;
}

class Spine {
 public:
  explicit Spine(Wires wires)
      : actuator_bus_(sink(wires, Role::kActuator), {"actuator", kDesktop}, system_clock()),
        policy_bus_(sink(wires, Role::kPolicy), {"policy", kDesktop}, system_clock()),
        actuator_served_(wires, actuator_rpc_, Role::kActuator, deployment_),
        actuator_(policy::connect_actuator(actuator_served_.channel(Role::kActuator, Role::kPolicy, deployment_),
                                           actuator_served_.channel(Role::kActuator, Role::kPolicy, deployment_))),
        policy_(
            {.rules = policy::Rules::load(DA_SHIPPED_RULES).value(),
             .signer = policy::GrantSigner::from_hex(key_.secret_hex, "key").value(),
             .stops = service::StopLatch::open(made(directory_.path() / "policy")).value(),
             .desktop_id = kDesktop,
             .state_directory = directory_.path() / "policy",
             .second_factor_directory = directory_.path() / "second-factor",
             .approval_rules = {},
             .notify = {},
             .audit = policy::AuditLog::open({directory_.path() / "audit", directory_.path() / "audit-heads"},
                                             policy::GrantSigner::from_hex(key_.secret_hex, "key").value(),
                                             policy::AuditRecord("started", system_clock().wall_now()), system_clock())
                          .value()},
            *actuator_, policy_bus_, system_clock()),
        policy_served_(wires, policy_rpc_, Role::kPolicy, deployment_),
        submit_(policy_served_.channel(Role::kPolicy, Role::kPlanner, deployment_), "Submit",
                &v1::Policy::Stub::AsyncSubmit) {
    if (wires == Wires::kEncrypted) read_the_bus();
    world_->open_notes();
    v1::OpenTaskRequest open;
    open.set_unlock_writes(true);
    open.mutable_limits()->set_steps(1'000'000);
    open.mutable_limits()->set_steps_per_second(1'000'000);
    open.mutable_limits()->set_text_characters(1'000'000);
    token_ = policy_.open_task(open).value().task_token();
  }
  ~Spine() {
    reader_.request_stop();
    policy_.shut_down();
  }

  // The time of one step; an error if it did not act.
  Result<double> step() {
    v1::SubmitRequest request;
    request.set_task_token(token_);
    request.mutable_step()->set_step_id("step-" + std::to_string(++steps_));
    request.mutable_step()->set_justification("the goal says so");
    *request.mutable_step()->mutable_action() = steps_ % 2 == 0
                                                    ? *contract::parse_action("write", R"({"text":"a"})")
                                                    : *contract::parse_action("press", R"({"key":"backspace"})");
    const MonoTime begun = system_clock().now();
    ASSIGN_OR_RETURN(const auto reply, submit_.ask(request, kTimeout));
    const auto took = system_clock().now() - begun;
    if (reply.outcome().kind() != v1::Outcome::KIND_DISPATCHED) {
      return Error{Code::kAborted, "the step did not act: " + reply.ShortDebugString()};
    }
    return std::chrono::duration<double, std::micro>(took).count();
  }

 private:
  std::string endpoint(Role role) const { return "tcp://127.0.0.1:" + std::to_string(47'750 + static_cast<int>(role)); }

  std::unique_ptr<bus::Sink> sink(Wires wires, Role role) {
    if (wires == Wires::kPlain) return memory_bus_->sink();
    return bus::bind_zmq({endpoint(role), ""}, deployment_.of(role)).value();
  }

  void read_the_bus() {
    auto source = bus::connect_zmq({{Role::kPolicy, {endpoint(Role::kPolicy), ""}},
                                    {Role::kActuator, {endpoint(Role::kActuator), ""}}},
                                   bus::all_topics(bus::Images::kWithout), deployment_.of(Role::kConsole))
                      .value();
    if (!source->wait_in_force(system_clock().now() + kTimeout)) std::abort();
    reader_ = std::jthread([source = std::move(source)](const std::stop_token& stop) {
      while (!stop.stop_requested()) static_cast<void>(source->receive(system_clock().now() + Milliseconds(50)));
    });
  }

  const test::TempDir directory_{"/dev/shm"};
  const policy::test::TestKey key_;
  const test::Deployment deployment_;
  std::shared_ptr<bus::MemoryBus> memory_bus_ = bus::MemoryBus::create();
  std::shared_ptr<actuator::fake::FakeWorld> world_ = std::make_shared<actuator::fake::FakeWorld>();
  std::unique_ptr<actuator::Desktop> desktop_ = actuator::open_fake_desktop(world_);
  actuator::SharedDesktop shared_{*desktop_, {}, {}};
  std::unique_ptr<actuator::Ledger> ledger_ = actuator::Ledger::open(directory_.path() / "ledger").value();
  service::StopLatch stops_ = service::StopLatch::open(made(directory_.path() / "actuator")).value();
  bus::Publisher actuator_bus_;
  actuator::Executor executor_{shared_,       kDesktop, actuator::GrantCheck::create(to_hex(key_.public_bytes)).value(),
                               *ledger_,      stops_,   actuator_bus_,
                               system_clock()};
  actuator::ActuatorRpc actuator_rpc_{shared_, executor_, deployment_.known(), system_clock()};
  bus::Publisher policy_bus_;
  Served actuator_served_;
  std::unique_ptr<policy::Actuator> actuator_;
  policy::Policy policy_;
  policy::PolicyRpc policy_rpc_{policy_, deployment_.known()};
  Served policy_served_;
  rpc::UnaryStreams<v1::Policy, v1::SubmitRequest, v1::SubmitReply> submit_;
  std::string token_;
  int steps_ = 0;
  std::jthread reader_;
};

double quantile(std::vector<double>& samples, double q) {
  std::ranges::sort(samples);
  return samples[std::min(samples.size() - 1, static_cast<std::size_t>(q * static_cast<double>(samples.size())))];
}

void step_over_wires(benchmark::State& state) {
  Spine plain(Wires::kPlain);
  Spine encrypted(Wires::kEncrypted);
  std::vector<double> plain_us;
  std::vector<double> encrypted_us;
  int round = 0;
  for (auto _ : state) {
    const auto without = plain.step();
    const auto with = encrypted.step();
    if (!without || !with) return state.SkipWithError((without ? with : without).error().message.c_str());
    state.SetIterationTime(*with / 1e6);
    if (++round <= kWarmUp) continue;
    plain_us.push_back(*without);
    encrypted_us.push_back(*with);
  }
  state.counters["ours_p50_us"] = quantile(encrypted_us, 0.5);
  state.counters["ours_p99_us"] = quantile(encrypted_us, 0.99);
  state.counters["plain_p50_us"] = quantile(plain_us, 0.5);
  state.counters["plain_p99_us"] = quantile(plain_us, 0.99);
  state.counters["ratio_p50"] = quantile(encrypted_us, 0.5) / quantile(plain_us, 0.5);
  state.counters["ratio_p99"] = quantile(encrypted_us, 0.99) / quantile(plain_us, 0.99);
}
BENCHMARK(step_over_wires)->UseManualTime()->Iterations(kWarmUp + kSteps)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace da::bench

int main(int argc, char** argv) {
  spdlog::set_level(spdlog::level::off);
  da::rpc::prepare_process([](const char*) {});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
