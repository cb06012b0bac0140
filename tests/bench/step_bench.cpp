// Measures a step from the planner's Submit through da-policy (judge, grant, signature) and da-actuator (Prepare,
// verification, evidence compared again, ledger) to the fake desktop and back, in their real processes. The limit is
// the sum of its bare parts: the same three messages as unary calls over the same kind of gRPC server and channel, one
// Ed25519 signature and one verification. There are two sums: of consecutive calls, and of calls nested as in a step
// (the two to the actuator inside the one to the policy). Steps and sums alternate, so that all see the same load. The
// steps are recorded by da-recorder; what that costs shows a second benchmark, in which they alternate with those of
// services without a recorder. Files are in memory (/dev/shm), so the disk syncs of ledger, audit log and recording are
// not included, or, for the recorder's cost, also on a disk.
#include <benchmark/benchmark.h>
#include <grpcpp/channel.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <optional>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "da/v1/policy_rpc.grpc.pb.h"
#include "lib/base/id.h"
#include "lib/contract/digest.h"
#include "lib/contract/evidence/sealed_evidence.h"
#include "lib/contract/json/parse.h"
#include "lib/os/files/files.h"
#include "lib/os/process/pipe.h"
#include "lib/rpc/call.h"
#include "lib/rpc/process.h"
#include "lib/rpc/unary_stream.h"
#include "services/console/session/embedded_config.h"
#include "tests/bench/bare.grpc.pb.h"
#include "tests/bench/bare_messages.h"
#include "tests/bench/service_process.h"

namespace da::bench {
namespace {

constexpr Milliseconds kTimeout{5'000};
constexpr int kWarmUp = 200;
constexpr int kSteps = 3'000;

using identity::Role;
using BareClient = rpc::Client<Bare>;

enum class Files { kInMemory, kOnDisk };

// A temporary directory. A socket's path must be short, so the one on disk is not in the build directory.
class Scratch {
 public:
  explicit Scratch(Files files)
      : path_(std::filesystem::path(files == Files::kInMemory ? "/dev/shm" : "/var/tmp") /
              ("da-bench-" + random_hex(4))) {
    std::filesystem::create_directory(path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string socket(const std::string& name) const { return "unix:" + (path_ / (name + ".sock")).string(); }

 private:
  std::filesystem::path path_;
};

enum class Recorder { kWith, kWithout };

// The real services on a fake desktop that shows one editor.
class World {
 public:
  static Result<std::unique_ptr<World>> open(Recorder recorder, Files files = Files::kInMemory) {
    auto world = std::make_unique<World>(files);
    const auto& directory = world->scratch_.path();
    console::EmbeddedLayout layout{directory, "fake:0", "fake", DA_SHIPPED_RULES, ""};
    layout.recorded = recorder == Recorder::kWith;
    ASSIGN_OR_RETURN(world->handed_over_, console::write_embedded_config(layout));
    ASSIGN_OR_RETURN(auto peers, identity::load_peers(directory / "peers/peers.toml"));
    world->peers_ = std::make_shared<identity::KnownPeers>(std::move(peers));
    std::vector<std::string> names = {"actuator", "policy"};
    if (layout.recorded) names.push_back("recorder");
    for (const std::string& name : names) {
      const auto identity_file = directory / (name + ".identity.toml");
      RETURN_IF_ERROR(os::write_private_file(identity_file, to_toml(world->handed_over_.identities.at(name))));
      ASSIGN_OR_RETURN(const auto identity, os::make_filled_pipe(to_toml(world->handed_over_.identities.at(name))));
      ASSIGN_OR_RETURN(const auto secret, os::make_filled_pipe(world->handed_over_.signing_key));
      const auto arguments = [&](const Ties& ties) {
        std::vector<std::string> words = {
            "--config",   (directory / (name + ".toml")).string(), "--identity-fd", std::to_string(identity.get()),
            "--ready-fd", std::to_string(ties.ready_fd),           "--lifeline-fd", std::to_string(ties.lifeline_fd)};
        if (name == "policy") words.insert(words.end(), {"--secret-fd", std::to_string(secret.get())});
        return words;
      };
      ASSIGN_OR_RETURN(auto process,
                       start_serving(build_directory() / "bin" / ("da-" + name), arguments,
                                     {identity.get(), secret.get()}, {"XDG_STATE_HOME=" + directory.string()}));
      world->processes_.push_back(std::move(process));
    }
    ASSIGN_OR_RETURN(auto console, identity::load_identity(directory / "console.identity.toml"));
    const std::string policy = "unix:" + (directory / "policy/calls.sock").string();
    world->submit_.emplace(rpc::Channel(Role::kPolicy, policy, world->of("planner")), "Submit",
                           &v1::Policy::Stub::AsyncSubmit);
    const rpc::Channel channel(Role::kPolicy, policy,
                               {std::make_shared<const identity::Identity>(std::move(console)), world->peers_});
    v1::OpenTaskRequest open;
    open.set_unlock_writes(true);
    // The limits must exceed the bench's use.
    open.mutable_limits()->set_steps(1'000'000);
    open.mutable_limits()->set_steps_per_second(1'000'000);
    open.mutable_limits()->set_text_characters(1'000'000);
    ASSIGN_OR_RETURN(const auto opened,
                     rpc::Client<v1::Policy>(channel).call("OpenTask", &v1::Policy::Stub::OpenTask, open, kTimeout));
    world->token_ = opened.task_token();
    RETURN_IF_ERROR(world->submit(world->request("launch", R"({"command":"notes"})")));
    return world;
  }

  explicit World(Files files) : scratch_(files) {}

  const Scratch& scratch() const { return scratch_; }
  identity::Credentials of(const std::string& service) const {
    return {std::make_shared<const identity::Identity>(handed_over_.identities.at(service)), peers_};
  }

  v1::SubmitRequest request(const std::string& tool, const std::string& arguments) {
    v1::SubmitRequest request;
    request.set_task_token(token_);
    request.mutable_step()->set_step_id("step-" + std::to_string(++steps_));
    request.mutable_step()->set_justification("the goal says so");
    *request.mutable_step()->mutable_action() = *contract::parse_action(tool, arguments);
    return request;
  }

  // An error if the action was not executed.
  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request) {
    ASSIGN_OR_RETURN(auto reply, submit_->ask(request, kTimeout));
    if (reply.outcome().kind() != v1::Outcome::KIND_DISPATCHED) {
      return Error{Code::kAborted, "the step did not act: " + reply.ShortDebugString()};
    }
    return reply;
  }

 private:
  Scratch scratch_;
  console::HandedOver handed_over_;
  std::shared_ptr<identity::KnownPeers> peers_;
  std::vector<os::ChildProcess> processes_;
  std::optional<rpc::UnaryStreams<v1::Policy, v1::SubmitRequest, v1::SubmitReply>> submit_;
  std::string token_;
  int steps_ = 0;
};

// The bare parts, with the messages of one real step.
class BareParts {
 public:
  static Result<std::unique_ptr<BareParts>> open(const World& world, const v1::SubmitRequest& request,
                                                 const v1::SubmitReply& reply) {
    const Scratch& scratch = world.scratch();
    auto bare = std::unique_ptr<BareParts>(new BareParts);
    RETURN_IF_ERROR(bare->collect(world, request, reply));
    RETURN_IF_ERROR(bare->messages_.save(scratch.path()));
    for (const std::string name : {"bare-policy", "bare-actuator", "bare-broker"}) {
      ASSIGN_OR_RETURN(auto process, start_serving(build_directory() / "tests" / "bare_server", [&](const Ties& ties) {
                         return std::vector<std::string>{scratch.socket(name), scratch.path().string(),
                                                         std::to_string(ties.ready_fd),
                                                         name == "bare-broker" ? scratch.socket("bare-actuator") : ""};
                       }));
      bare->processes_.push_back(std::move(process));
    }
    const auto credentials = world.of("policy");
    bare->policy_.emplace(rpc::Channel(Role::kActuator, scratch.socket("bare-policy"), credentials));
    bare->actuator_.emplace(rpc::Channel(Role::kActuator, scratch.socket("bare-actuator"), credentials));
    bare->broker_.emplace(rpc::Channel(Role::kActuator, scratch.socket("bare-broker"), credentials));
    return bare;
  }

  Result<void> calls_in_turn() {
    RETURN_IF_ERROR(policy_->call("Submit", &Bare::Stub::Submit, messages_.submit, kTimeout));
    RETURN_IF_ERROR(actuator_->call("Prepare", &Bare::Stub::Prepare, messages_.prepare, kTimeout));
    RETURN_IF_ERROR(actuator_->call("Execute", &Bare::Stub::Execute, messages_.execute, kTimeout));
    return sign_and_verify();
  }

  Result<void> calls_nested() {
    RETURN_IF_ERROR(broker_->call("Submit", &Bare::Stub::Submit, messages_.submit, kTimeout));
    return sign_and_verify();
  }

 private:
  Result<void> sign_and_verify() {
    const std::string input = contract::grant_signing_input(messages_.execute.grant().claims());
    const auto* bytes = reinterpret_cast<const unsigned char*>(input.data());
    std::array<unsigned char, crypto_sign_BYTES> signature{};
    crypto_sign_detached(signature.data(), nullptr, bytes, input.size(), secret_key_.data());
    if (crypto_sign_verify_detached(signature.data(), bytes, input.size(), public_key_.data()) != 0) {
      return Error{Code::kInternal, "a signature is invalid"};
    }
    return ok();
  }

  BareParts() { crypto_sign_keypair(public_key_.data(), secret_key_.data()); }

  Result<void> collect(const World& world, const v1::SubmitRequest& request, const v1::SubmitReply& reply) {
    messages_.submit = request;
    messages_.submitted = reply;
    messages_.outcome = reply.outcome();
    *messages_.prepare.mutable_action() = request.step().action();
    messages_.prepare.set_task_id(reply.verdict().header().task_id());
    messages_.prepare.set_step_id(request.step().step_id());
    rpc::UnaryStreams<v1::Actuator, v1::ActRequest, v1::ActReply> actuator(
        rpc::Channel(Role::kActuator, "unix:" + (world.scratch().path() / "actuator/calls.sock").string(),
                     world.of("policy")),
        "Act", &v1::Actuator::Stub::AsyncAct);
    v1::ActRequest prepare;
    *prepare.mutable_prepare() = messages_.prepare;
    ASSIGN_OR_RETURN(const auto prepared, actuator.ask(prepare, kTimeout));
    ASSIGN_OR_RETURN(auto sealed, contract::unseal(prepared.evidence()));
    messages_.evidence = std::move(sealed.evidence);
    v1::GrantClaims claims;
    claims.set_grant_id(reply.outcome().grant_id());
    claims.set_boot_id(messages_.evidence.boot_id());
    claims.set_challenge(messages_.evidence.challenge());
    claims.set_action_digest(messages_.evidence.action_digest());
    claims.set_evidence_digest(contract::digest(messages_.evidence));
    claims.set_task_id(messages_.prepare.task_id());
    claims.set_step_id(messages_.prepare.step_id());
    claims.set_desktop_id("fake:0");
    claims.set_rules_version(to_hex(blake2b("rules")));
    claims.set_approver("policy");
    claims.set_valid_ms(2'000);
    *messages_.execute.mutable_action() = request.step().action();
    messages_.execute.mutable_grant()->set_claims(claims.SerializeAsString());
    messages_.execute.mutable_grant()->set_signature(std::string(crypto_sign_BYTES, 's'));
    return ok();
  }

  BareMessages messages_;
  std::vector<os::ChildProcess> processes_;
  std::optional<BareClient> policy_;
  std::optional<BareClient> actuator_;
  std::optional<BareClient> broker_;  // Calls the bare actuator itself.
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> public_key_{};
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret_key_{};
};

class Samples {
 public:
  void add(double us) { us_.push_back(us); }
  double quantile(double q) {
    std::ranges::sort(us_);
    return us_.empty() ? 0
                       : us_[std::min(us_.size() - 1, static_cast<std::size_t>(q * static_cast<double>(us_.size())))];
  }

 private:
  std::vector<double> us_;
};

template <class Work>
double time_us(Work&& work) {
  const auto begun = system_clock().now();
  work();
  return std::chrono::duration<double, std::micro>(system_clock().now() - begun).count();
}

struct Tool {
  const char* name;
  const char* arguments;
};

// The steps leave the desktop unchanged, so that all have the same cost.
Result<void> run(benchmark::State& state, const std::vector<Tool>& tools) {
  if (sodium_init() < 0) return Error{Code::kInternal, "libsodium cannot be initialised"};
  ASSIGN_OR_RETURN(const auto world, World::open(Recorder::kWith));
  auto next = [&, at = std::size_t{0}]() mutable {
    const Tool& tool = tools[at++ % tools.size()];
    return world->request(tool.name, tool.arguments);
  };
  const auto sample = next();
  ASSIGN_OR_RETURN(const auto reply, world->submit(sample));
  ASSIGN_OR_RETURN(const auto bare, BareParts::open(*world, sample, reply));
  Samples ours;
  Samples parts;
  Samples nested;
  Result<void> failed;
  int round = 0;
  for (auto _ : state) {
    const auto request = next();
    const double step = time_us([&] {
      if (const auto done = world->submit(request); !done) failed = done.error();
    });
    const double sum = time_us([&] {
      if (const auto done = bare->calls_in_turn(); !done) failed = done;
    });
    const double path = time_us([&] {
      if (const auto done = bare->calls_nested(); !done) failed = done;
    });
    if (!failed) return failed;
    state.SetIterationTime(step / 1e6);
    if (++round <= kWarmUp) continue;
    ours.add(step);
    parts.add(sum);
    nested.add(path);
  }
  state.counters["ours_p50_us"] = ours.quantile(0.5);
  state.counters["ours_p99_us"] = ours.quantile(0.99);
  state.counters["limit_p50_us"] = parts.quantile(0.5);
  state.counters["limit_p99_us"] = parts.quantile(0.99);
  state.counters["ratio_p50"] = ours.quantile(0.5) / parts.quantile(0.5);
  state.counters["nested_p50_us"] = nested.quantile(0.5);
  state.counters["nested_p99_us"] = nested.quantile(0.99);
  state.counters["ratio_nested_p50"] = ours.quantile(0.5) / nested.quantile(0.5);
  state.counters["ratio_nested_p99"] = ours.quantile(0.99) / nested.quantile(0.99);
  state.counters["ratio_p99"] = ours.quantile(0.99) / parts.quantile(0.99);
  return ok();
}

Result<void> compare_recorded(benchmark::State& state, Files files) {
  if (sodium_init() < 0) return Error{Code::kInternal, "libsodium cannot be initialised"};
  ASSIGN_OR_RETURN(const auto recorded, World::open(Recorder::kWith, files));
  ASSIGN_OR_RETURN(const auto unrecorded, World::open(Recorder::kWithout, files));
  Samples with;
  Samples without;
  Result<void> failed;
  int round = 0;
  for (auto _ : state) {
    const auto time_step = [&](World& world) {
      const auto request = world.request("mouse", R"({"x":200,"y":200})");
      return time_us([&] {
        if (const auto done = world.submit(request); !done) failed = done.error();
      });
    };
    const double with_us = time_step(*recorded);
    const double without_us = time_step(*unrecorded);
    if (!failed) return failed;
    state.SetIterationTime(with_us / 1e6);
    if (++round <= kWarmUp) continue;
    with.add(with_us);
    without.add(without_us);
  }
  state.counters["recorded_p50_us"] = with.quantile(0.5);
  state.counters["unrecorded_p50_us"] = without.quantile(0.5);
  state.counters["ratio_p50"] = with.quantile(0.5) / without.quantile(0.5);
  state.counters["ratio_p99"] = with.quantile(0.99) / without.quantile(0.99);
  return ok();
}

void step(benchmark::State& state, const std::vector<Tool>& tools) {
  if (const auto done = run(state, tools); !done) state.SkipWithError(done.error().message.c_str());
}

void keyboard_step(benchmark::State& state) {
  step(state, {{"write", R"({"text":"a"})"}, {"press", R"({"key":"backspace"})"}});
}
void pointer_step(benchmark::State& state) { step(state, {{"mouse", R"({"x":200,"y":200})"}}); }
void recorded_step(benchmark::State& state, Files files) {
  if (const auto done = compare_recorded(state, files); !done) state.SkipWithError(done.error().message.c_str());
}
BENCHMARK(keyboard_step)->UseManualTime()->Iterations(kWarmUp + kSteps)->Unit(benchmark::kMicrosecond);
BENCHMARK(pointer_step)->UseManualTime()->Iterations(kWarmUp + kSteps)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(recorded_step, in_memory, Files::kInMemory)
    ->UseManualTime()
    ->Iterations(kWarmUp + kSteps)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(recorded_step, on_disk, Files::kOnDisk)
    ->UseManualTime()
    ->Iterations(kWarmUp + kSteps)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace da::bench

int main(int argc, char** argv) {
  da::rpc::prepare_process([](const char*) {});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
