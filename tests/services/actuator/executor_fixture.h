// An executor on a fake desktop with one open editor, and a policy that grants every action that a test asks for.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "lib/bus/memory_transport.h"
#include "lib/identity/known_peers.h"
#include "services/actuator/desktop/fake/fake_desktop.h"
#include "services/actuator/executor.h"
#include "tests/services/actuator/test_policy.h"
#include "tests/temp_dir.h"

namespace da::actuator {

class ExecutorTest : public testing::Test {
 protected:
  explicit ExecutorTest(ScreenMask mask = {}) : shared_{*desktop_, {}, {}, std::move(mask)} { world_->open_notes(); }

  v1::Evidence prepare(const v1::Action& action, const std::string& task_id = "task") {
    v1::PrepareRequest request;
    *request.mutable_action() = action;
    request.set_task_id(task_id);
    request.set_step_id("step");
    auto evidence = executor_.prepare(request);
    EXPECT_TRUE(evidence) << evidence.error().message;
    return evidence->evidence;
  }
  v1::Outcome execute(const v1::Action& action, const v1::Grant& grant) {
    v1::ExecuteRequest request;
    *request.mutable_action() = action;
    *request.mutable_grant() = grant;
    return executor_.execute(request, [] { return false; });
  }
  v1::Outcome run(const v1::Action& action) { return execute(action, grant(prepare(action))); }
  v1::Grant grant(const v1::Evidence& evidence) { return policy_.sign(policy_.claims(evidence)); }

  static v1::Action write(const std::string& text) {
    v1::Action action;
    action.mutable_write()->set_text(text);
    return action;
  }
  static v1::Action click(int x, int y) {
    v1::Action action;
    action.mutable_mouse()->set_x(x);
    action.mutable_mouse()->set_y(y);
    return action;
  }

  const test::TempDir temp_dir_;
  const std::filesystem::path directory_ = temp_dir_.path();
  TestPolicy policy_;
  std::shared_ptr<fake::FakeWorld> world_ = std::make_shared<fake::FakeWorld>();
  std::unique_ptr<Desktop> desktop_ = open_fake_desktop(world_, {.home_trash = directory_ / "trash"});
  SharedDesktop shared_;
  std::unique_ptr<Ledger> ledger_ = *Ledger::open(directory_ / "ledger");
  service::StopLatch stops_ = *service::StopLatch::open(directory_ / "state");
  const identity::KnownPeers peers_{{}};
  ManualClock clock_;
  bus::Publisher bus_{bus::MemoryBus::create()->sink(), {"actuator", "fake:0"}, clock_};
  Executor executor_{shared_, "fake:0", *GrantCheck::create(policy_.public_key_hex()), *ledger_, stops_, bus_, clock_};
};

}  // namespace da::actuator
