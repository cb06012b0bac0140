// The world that is attacked: a real Policy with the shipped rules, which brokers to a real Executor (grants, ledger,
// halt latch) on a desktop in memory. A person answers what is asked; nobody else can. One planner is not honest.
//
// What an attack must not reach is looked for on the desktop: traces() is all that anything could have changed there.
// Owns everything; methods may be called from any thread once it is made.
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

// Where files cost no disk: the audit log syncs each decision, and a flood is to meet the policy, not the disk.
inline std::filesystem::path in_memory() {
  return std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
}

inline constexpr char kDesktop[] = "fake:0";

class World final : public policy::Actuator {
 public:
  // How the person answers a question; deny() and approve() below are two.
  using Person = std::function<void(World&, const v1::ApprovalRequest&)>;
  struct Setup {
    std::string team_rules;  // In force besides the shipped ones.
    policy::ApprovalRules approval_rules;
    const Clock* clock = nullptr;  // Null: clock(), which stands still.
    bool keeps_records = true;     // What asked() and wire() tell.
  };

  World();
  explicit World(Setup setup);
  ~World() override;

  // The person: denies unless told otherwise.
  void set_person(Person person);
  static void deny(World& world, const v1::ApprovalRequest& question);
  static void approve(World& world, const v1::ApprovalRequest& question);
  static void look_away(World&, const v1::ApprovalRequest&) {}
  // Everything that the person was asked.
  std::vector<v1::ApprovalRequest> asked() const;
  // Blocks until so many questions were asked.
  void wait_until_asked(std::size_t times);
  // Blocks until the person has done with all questions that were asked so far.
  void wait_until_answered();

  struct Open {
    std::string task_id;
    std::string token;
  };
  Open open_task(const v1::OpenTaskRequest& request = {});
  // Of a task whose writes need nobody: the most that a person can give away.
  Open open_unlocked();

  // As the planner does. Steps get an id of their own unless one is given.
  Result<v1::SubmitReply> submit(const Open& task, const v1::Action& action, const std::string& step_id = "");
  v1::SubmitReply reply(const Open& task, const v1::Action& action, const std::string& step_id = "");
  Result<v1::SubmitReply> submit_as(const std::string& token, const v1::Action& action);

  // What opens on the desktop, in front, and has the keyboard focus.
  std::string open_editor() { return desktop_world_->open_notes(); }
  std::string open_terminal(const std::string& title = "me@host: ~");
  // A window with one editable element that has no name.
  std::string open_field(const std::string& title, const std::string& executable);
  // A window with one button in its middle, which has the focus. The middle is at kButton.
  std::string open_button(const std::string& name, const std::string& role = "push button");
  static constexpr Point kButton{900, 500};

  // The whole state of the desktop that actions can change, and every input, in one text.
  std::string traces() const;
  // What stands in the front window's focused field.
  std::string typed() const;
  std::size_t acted() const;  // Outcomes that were not refusals.

  // The wire between the two, as a thief sees it: every Execute that was sent.
  std::vector<v1::ExecuteRequest> wire() const;
  // Runs on the next Execute before the actuator sees it.
  void on_next_execute(std::function<void(v1::ExecuteRequest&)> change);
  // Cancels the next Execute once it has looked so often whether it is to go on.
  void cancel_next_after(int looks);
  v1::Outcome execute_stolen(const v1::ExecuteRequest& request);

  Result<v1::Evidence> prepare(const v1::PrepareRequest& request, Milliseconds timeout, std::stop_token stop) override;
  Result<v1::Outcome> execute(const v1::ExecuteRequest& request, Milliseconds timeout, std::stop_token stop) override;
  Result<void> halt(const std::string& reason) override;
  Result<void> pause(const std::string& reason) override;
  Result<v1::HeartbeatReply> heartbeat(const v1::HeartbeatRequest& request, std::stop_token stop) override;
  Result<void> resume() override;

  // The id by which the task may click what is at the point; gathered as the observer does.
  std::string element_at(const Open& task, Point at);
  // Puts other team rules in force, as an edit of the rule file does.
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
  std::unique_ptr<actuator::Desktop> desktop_ = actuator::open_fake_desktop(desktop_world_);
  actuator::SharedDesktop shared_{*desktop_, {}, {}};
  std::unique_ptr<actuator::Ledger> ledger_;
  service::HaltLatch halt_;
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
