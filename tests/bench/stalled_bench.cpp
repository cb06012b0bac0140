// Measures what readers that do not read cost the step that acts: Prepare over gRPC, alone and beside eight readers of
// frames with stalled windows. Two actuators on fake desktops in this process; their calls alternate.
#include <benchmark/benchmark.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "lib/base/id.h"
#include "lib/bus/memory_transport.h"
#include "lib/rpc/process.h"
#include "lib/rpc/server.h"
#include "lib/rpc/tls.h"
#include "lib/rpc/unary_stream.h"
#include "services/actuator/actuator_rpc.h"
#include "services/actuator/desktop/fake/fake_desktop.h"
#include "tests/deployment.h"
#include "tests/services/actuator/open_tasks_of.h"
#include "tests/services/policy/test_key.h"
#include "tests/temp_dir.h"

namespace da::bench {
namespace {

using identity::Role;

constexpr Milliseconds kTimeout{5'000};
constexpr int kReaders = 8;
constexpr int kWarmUp = 200;
constexpr int kCalls = 2'000;
constexpr char kTask[] = "task";

std::filesystem::path made(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  std::filesystem::permissions(directory, std::filesystem::perms::owner_all);
  return directory;
}

class Actuator {
 public:
  Actuator() { actuator::open_tasks(rpc_, {kTask}); }
  ~Actuator() {
    for (const auto& context : contexts_) context->TryCancel();
  }

  // The window is smaller than a frame, and nothing is read.
  void add_stalled_reader() {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64);
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetSslTargetNameOverride(identity::dns_name(Role::kActuator));
    const auto credentials = rpc::tls_to(Role::kActuator, deployment_.of(Role::kObserver));
    stubs_.push_back(v1::Actuator::NewStub(grpc::CreateCustomChannel(address_, credentials, arguments)));
    contexts_.push_back(std::make_unique<grpc::ClientContext>());
    v1::FramesRequest request;
    request.set_observation_token(actuator::observation_token_of(kTask));
    readers_.push_back(stubs_.back()->Frames(contexts_.back().get(), request));
    readers_.back()->WaitForInitialMetadata();
  }

  // Microseconds.
  Result<double> prepare() {
    v1::ActRequest request;
    auto& prepare = *request.mutable_prepare();
    prepare.mutable_action()->mutable_mouse()->set_x(300);
    prepare.mutable_action()->mutable_mouse()->set_y(200);
    prepare.set_task_id(kTask);
    prepare.set_step_id("step");
    const MonoTime begun = system_clock().now();
    ASSIGN_OR_RETURN(const auto reply, act_.ask(request, kTimeout));
    static_cast<void>(reply);
    return std::chrono::duration<double, std::micro>(system_clock().now() - begun).count();
  }

 private:
  const test::TempDir directory_{"/dev/shm"};
  const policy::test::TestKey key_;
  const test::Deployment deployment_;
  const std::string address_ = "unix:" + (directory_.path() / "calls.sock").string();
  std::shared_ptr<bus::MemoryBus> memory_bus_ = bus::MemoryBus::create();
  bus::Publisher bus_{memory_bus_->sink(), {"actuator", "fake:0"}, system_clock()};
  std::shared_ptr<actuator::fake::FakeWorld> world_ = std::make_shared<actuator::fake::FakeWorld>();
  std::unique_ptr<actuator::Desktop> desktop_ = actuator::open_fake_desktop(world_);
  actuator::SharedDesktop shared_{*desktop_, {}, {}};
  std::unique_ptr<actuator::Ledger> ledger_ = actuator::Ledger::open(directory_.path() / "ledger").value();
  service::StopLatch stops_ = service::StopLatch::open(made(directory_.path() / "state")).value();
  actuator::Executor executor_{shared_,       "fake:0", actuator::GrantCheck::create(to_hex(key_.public_bytes)).value(),
                               *ledger_,      stops_,   bus_,
                               system_clock()};
  actuator::ActuatorRpc rpc_{shared_, executor_, deployment_.known(), system_clock()};
  const std::unique_ptr<rpc::Server> server_ =
      rpc::Server::listen(address_, {&rpc_}, deployment_.of(Role::kActuator)).value();
  rpc::UnaryStreams<v1::Actuator, v1::ActRequest, v1::ActReply> act_{
      rpc::Channel(Role::kActuator, address_, deployment_.of(Role::kPolicy)), "Act", &v1::Actuator::Stub::AsyncAct};
  std::vector<std::unique_ptr<v1::Actuator::Stub>> stubs_;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts_;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::FrameChunk>>> readers_;
};

double quantile(std::vector<double>& samples, double q) {
  std::ranges::sort(samples);
  return samples[std::min(samples.size() - 1, static_cast<std::size_t>(q * static_cast<double>(samples.size())))];
}

void prepare_beside_stalled_readers(benchmark::State& state) {
  Actuator alone;
  Actuator beside;
  for (int i = 0; i < kReaders; ++i) beside.add_stalled_reader();
  std::vector<double> alone_us;
  std::vector<double> beside_us;
  int round = 0;
  for (auto _ : state) {
    const auto without = alone.prepare();
    const auto with = beside.prepare();
    if (!without || !with) return state.SkipWithError((without ? with : without).error().message.c_str());
    state.SetIterationTime(*with / 1e6);
    if (++round <= kWarmUp) continue;
    alone_us.push_back(*without);
    beside_us.push_back(*with);
  }
  for (const auto& [name, q] : {std::pair("p50", 0.5), {"p99", 0.99}}) {
    const double without = quantile(alone_us, q);
    const double with = quantile(beside_us, q);
    state.counters[std::string("ours_") + name + "_us"] = with;
    state.counters[std::string("alone_") + name + "_us"] = without;
    state.counters[std::string("ratio_") + name] = with / without;
  }
}
BENCHMARK(prepare_beside_stalled_readers)->UseManualTime()->Iterations(kWarmUp + kCalls)->Unit(benchmark::kMicrosecond);

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
