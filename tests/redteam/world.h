// The attacked system: a real Policy with the shipped rules and a real Executor (grants, ledger, halt latch) on a
// desktop in memory. A simulated person answers the questions. The planner is malicious.
//
// Tests check the effect of an attack on the desktop: traces() lists everything that an action could change there.
// Owns everything. After construction, any thread may call its methods.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lib/bus/memory_transport.h"
#include "services/actuator/desktop/fake/fake_desktop.h"
#include "services/actuator/executor.h"
#include "services/policy/policy.h"
#include "tests/services/policy/steps.h"
#include "tests/services/policy/test_key.h"
#include "tests/temp_dir.h"

namespace da::redteam {

using policy::test::click;
using policy::test::file_delete;
using policy::test::hotkey;
using policy::test::launch;
using policy::test::move;
using policy::test::press;
using policy::test::step;
using policy::test::terminate;
using policy::test::ui_click;
using policy::test::wait_for;
using policy::test::write;

v1::Action paste(const std::string& text);
v1::Action type_and_submit(const std::string& text);

// A directory in memory: the audit log syncs each decision, and a flood must load the policy, not the disk.
inline std::filesystem::path in_memory() {
  return std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
}

inline constexpr char kDesktop[] = "fake:0";

class World final : public policy::Actuator {
 public:
  // Answers a question for the person, like deny() and approve() below.
  using Person = std::function<void(World&, const v1::ApprovalRequest&)>;
  struct Setup {
    std::string team_rules;  // Added to the shipped ones.
    policy::ApprovalRules approval_rules;
    const Clock* clock = nullptr;  // Null: clock(), which only tests advance.
    bool keeps_records = true;     // If false, asked() and wire() stay empty.
  };

  World();
  explicit World(Setup setup);
  ~World() override;

  // Sets the person's answers; by default the person denies.
  void set_person(Person person);
  static void deny(World& world, const v1::ApprovalRequest& question);
  static void approve(World& world, const v1::ApprovalRequest& question);
  static void look_away(World&, const v1::ApprovalRequest&) {}
  // All questions so far.
  std::vector<v1::ApprovalRequest> asked() const;
  // Blocks until `times` questions were asked.
  void wait_until_asked(std::size_t times);
  // Blocks until the person has handled all questions so far.
  void wait_until_answered();

  struct Open {
    std::string task_id;
    std::string token;
  };
  Open open_task(const v1::OpenTaskRequest& request = {});
  // Opens a task with unlocked writes, the largest permission that a person can give.
  Open open_unlocked();

  // Submits like the planner. Without an id, a step gets a new one.
  Result<v1::SubmitReply> submit(const Open& task, const v1::Action& action, const std::string& step_id = "");
  v1::SubmitReply reply(const Open& task, const v1::Action& action, const std::string& step_id = "");
  Result<v1::SubmitReply> submit_as(const std::string& token, const v1::Action& action);

  // These open a window in front, with the keyboard focus.
  std::string open_editor() { return desktop_world_->open_notes(); }
  std::string open_terminal(const std::string& title = "me@host: ~");
  // A window with one editable element without a name.
  std::string open_field(const std::string& title, const std::string& executable);
  // A window with one focused button in its middle, at kButton.
  std::string open_button(const std::string& name, const std::string& role = "push button");
  static constexpr Point kButton{900, 500};

  // Everything on the desktop that actions can change, and all inputs, as one text.
  std::string traces() const;
  // The text of the front window's focused field.
  std::string typed() const;
  std::size_t acted() const;  // Outcomes that were not refusals.

  // Every Execute that the policy sent, as a thief on the wire sees it.
  std::vector<v1::ExecuteRequest> wire() const;
  // Runs on the next Execute before the actuator sees it.
  void on_next_execute(std::function<void(v1::ExecuteRequest&)> change);
  // Cancels the next Execute after this many checks for cancellation.
  void cancel_next_after(int looks);
  v1::Outcome execute_stolen(const v1::ExecuteRequest& request);

  Result<contract::SealedEvidence> prepare(const v1::PrepareRequest& request, Milliseconds timeout,
                                           std::stop_token stop) override;
  Result<v1::Outcome> execute(const v1::ExecuteRequest& request, Milliseconds timeout, std::stop_token stop) override;
  Result<void> halt(const std::string& reason) override;
  Result<void> pause(const std::string& reason) override;
  Result<v1::HeartbeatReply> heartbeat(const v1::HeartbeatRequest& request, std::stop_token stop) override;
  Result<void> resume() override;

  // The element id at the point for this task, read like the observer does.
  std::string element_at(const Open& task, Point at);
  // Replaces the team's rules, like an edit of the rule file.
  void change_rules(const std::string& team_rules);

  policy::Policy& policy() { return *policy_; }
  actuator::fake::FakeWorld& desktop() { return *desktop_world_; }
  actuator::Executor& executor() { return executor_; }
  ManualClock& clock() { return manual_clock_; }
  const policy::test::TestKey& key() const { return key_; }
  const std::filesystem::path& directory() const { return directory_.path(); }
  std::shared_ptr<bus::MemoryBus> bus() { return bus_; }

 private:
  void answer_questions();
  void give_focus(const std::string& window, const std::string& element);

  const da::test::TempDir directory_{in_memory()};
  const policy::test::TestKey key_;
  ManualClock manual_clock_;
  const Clock& clock_;
  const bool keeps_records_;
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  std::shared_ptr<actuator::fake::FakeWorld> desktop_world_ = std::make_shared<actuator::fake::FakeWorld>();
  std::unique_ptr<actuator::Desktop> desktop_ =
      actuator::open_fake_desktop(desktop_world_, {.home_trash = directory_.path() / "trash"});
  actuator::SharedDesktop shared_{*desktop_, {}, {}};
  std::unique_ptr<actuator::Ledger> ledger_;
  service::StopLatch stops_;
  bus::Publisher actuator_bus_;
  actuator::Executor executor_;
  bus::Publisher policy_bus_;
  std::unique_ptr<policy::Policy> policy_;

  mutable std::mutex mutex_;
  std::condition_variable asked_changed_;
  Person person_ = deny;
  std::vector<v1::ApprovalRequest> asked_;
  std::size_t answered_ = 0;
  std::vector<v1::ExecuteRequest> wire_;
  std::function<void(v1::ExecuteRequest&)> change_execute_;
  std::size_t acted_ = 0;
  std::optional<int> looks_left_;
  std::uint64_t steps_ = 0;
  std::unique_ptr<bus::Source> questions_;
  std::jthread person_thread_;
};

}  // namespace da::redteam
