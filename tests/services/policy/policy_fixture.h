// A Policy with a fake actuator, an in-memory bus and a manual clock.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>

#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/policy/policy.h"
#include "tests/services/policy/fake_actuator.h"
#include "tests/services/policy/steps.h"
#include "tests/temp_dir.h"

namespace da::policy::test {

inline constexpr char kRules[] = R"(
[[rule]]
name = "work"
verdict = "allow"
reason = "ordinary work"
match.tool = ["write", "paste", "mouse", "wait_for", "file_delete", "launch"]
[[rule]]
name = "no-secrets"
verdict = "deny"
reason = "no secrets"
match.text = "secret"
[[rule]]
name = "bank"
verdict = "deny"
reason = "not in the bank"
match.window = "bank"
[[rule]]
name = "ask-about-this"
verdict = "ask"
reason = "please look"
match.text = "please"
[[rule]]
name = "ask-about-waits"
verdict = "ask"
reason = "a long wait"
match.tool = ["wait_for"]
[[rule]]
name = "no-drumming"
verdict = "deny"
reason = "once more than twice"
match.text = "drum"
match.repetition = "3 in 10s"
)";

struct PolicyFixture : testing::Test {
  const std::string desktop_id = "fake:1";
  da::test::TempDir dir;
  TestKey key;
  ManualClock clock;
  std::filesystem::path rule_file = "test.toml";  // It need not exist.
  std::vector<std::string> notify;
  bool recording_required = false;
  FakeActuator actuator{key, clock, desktop_id};
  std::shared_ptr<bus::MemoryBus> memory = bus::MemoryBus::create();
  bus::Publisher publisher{memory->sink(), {"policy", desktop_id}, clock};
  bus::Subscriber facts{memory->source(bus::all_topics(bus::Images::kWithout))};
  std::unique_ptr<Policy> policy = start();
  std::string token;
  std::string task_id;

  PolicyFixture() {
    actuator.set_world(editor());
    open({});
  }
  ~PolicyFixture() override { policy->shut_down(); }

  std::unique_ptr<Policy> start() {
    return std::make_unique<Policy>(
        Policy::Setup{.rules = *Rules::parse(kRules, rule_file.string()),
                      .signer = *GrantSigner::from_hex(key.secret_hex, "key"),
                      .stops = *service::StopLatch::open(dir.path()),
                      .desktop_id = desktop_id,
                      .state_directory = dir.path(),
                      .second_factor_directory = dir.path() / "second-factor",
                      .approval_rules = {},
                      .notify = notify,
                      .audit = *AuditLog::open({dir.path() / kAuditFile, dir.path() / kAuditHeadsFile},
                                               *GrantSigner::from_hex(key.secret_hex, "key"),
                                               AuditRecord("started", clock.wall_now()), clock),
                      .recording_required = recording_required},
        actuator, publisher, clock);
  }

  void open(v1::OpenTaskRequest request) {
    const auto reply = policy->open_task(request);
    token = reply->task_token();
    task_id = reply->task_id();
  }
  void open_unlocked() {
    v1::OpenTaskRequest request;
    request.set_unlock_writes(true);
    open(request);
  }

  v1::SubmitRequest request(v1::Action action, const std::string& step_id = "s1") const {
    v1::SubmitRequest request;
    request.set_task_token(token);
    *request.mutable_step() = step(std::move(action), step_id);
    return request;
  }
  v1::SubmitReply submit(v1::Action action, const std::string& step_id = "s1") {
    auto reply = policy->submit(request(std::move(action), step_id), {});
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? *reply : v1::SubmitReply();
  }
  std::future<Result<v1::SubmitReply>> start_submit(v1::Action action, std::stop_token stop = {}) {
    return std::async(std::launch::async,
                      [this, asked = request(std::move(action)), stop] { return policy->submit(asked, stop); });
  }

  // The next fact of this type; skips others.
  template <class T>
  T next() {
    while (true) {
      const auto fact = facts.next(system_clock().now() + std::chrono::seconds(10));
      if (!fact || !*fact) break;
      if (const T* found = (*fact)->as<T>()) return *found;
    }
    ADD_FAILURE() << "no " << T::descriptor()->name() << " came";
    return T();
  }

  std::string pending_id() { return next<v1::ApprovalRequest>().approval_id(); }
  Result<v1::AnswerReply> approve(const std::string& id) {
    v1::ApproveRequest request;
    request.set_approval_id(id);
    request.set_approver("ada");
    return policy->approve(request);
  }
  Result<v1::AnswerReply> deny(const std::string& id, const std::string& reason) {
    v1::DenyRequest request;
    request.set_approval_id(id);
    request.set_approver("ada");
    request.set_reason(reason);
    return policy->deny(request);
  }
  Result<v1::HaltReply> halt() {
    v1::HaltRequest request;
    request.set_reason("smoke");
    request.set_by("ada");
    return policy->halt(request);
  }
};

}  // namespace da::policy::test
