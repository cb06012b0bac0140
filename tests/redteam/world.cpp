#include "tests/redteam/world.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <fstream>
#include <sstream>

#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"

namespace da::redteam {
namespace {

std::string public_key_of(const policy::test::TestKey& key) { return to_hex(key.public_bytes); }

void write_rules(const std::filesystem::path& file, const std::string& team_rules) {
  std::ofstream(file) << std::ifstream(DA_SHIPPED_RULES).rdbuf() << '\n' << team_rules;
}

policy::Rules rules_of(const std::filesystem::path& directory, const std::string& team_rules) {
  write_rules(directory / "rules.toml", team_rules);
  auto rules = policy::Rules::load(directory / "rules.toml");
  if (!rules) ADD_FAILURE() << rules.error().message;
  return rules ? *std::move(rules) : policy::Rules({});
}

std::filesystem::path made(const std::filesystem::path& directory) {
  std::filesystem::create_directory(directory);
  std::filesystem::permissions(directory, std::filesystem::perms::owner_all);
  return directory;
}

}  // namespace

v1::Action paste(const std::string& text) {
  v1::Action action;
  action.mutable_paste()->set_text(text);
  return action;
}

v1::Action type_and_submit(const std::string& text) {
  v1::Action action;
  action.mutable_keyboard_type()->set_text(text);
  action.mutable_keyboard_type()->set_submit(true);
  return action;
}

World::World() : World(Setup()) {}

World::World(Setup setup)
    : clock_(setup.clock == nullptr ? manual_clock_ : *setup.clock),
      keeps_records_(setup.keeps_records),
      ledger_(*actuator::Ledger::open(directory_.path() / "ledger")),
      stops_(*service::StopLatch::open(made(directory_.path() / "actuator"))),
      actuator_bus_(bus_->sink(), {"actuator", kDesktop}, clock_),
      executor_(shared_, kDesktop, *actuator::GrantCheck::create(public_key_of(key_)), *ledger_, stops_, actuator_bus_,
                clock_),
      policy_bus_(bus_->sink(), {"policy", kDesktop}, clock_),
      policy_(std::make_unique<policy::Policy>(
          policy::Policy::Setup{
              .rules = rules_of(directory_.path(), setup.team_rules),
              .signer = *policy::GrantSigner::from_hex(key_.secret_hex, "key"),
              .stops = *service::StopLatch::open(made(directory_.path() / "policy")),
              .desktop_id = kDesktop,
              .state_directory = directory_.path() / "policy",
              .second_factor_directory = directory_.path() / "second-factor",
              .approval_rules = setup.approval_rules,
              .notify = {},
              .audit = *policy::AuditLog::open({directory_.path() / "policy" / policy::kAuditFile,
                                                directory_.path() / "policy" / policy::kAuditHeadsFile},
                                               *policy::GrantSigner::from_hex(key_.secret_hex, "key"),
                                               policy::AuditRecord("started", clock_.wall_now()), clock_)},
          *this, policy_bus_, clock_)),
      questions_(bus_->source({bus::topic_name<v1::ApprovalRequest>()})),
      person_thread_([this] { answer_questions(); }) {
  spdlog::set_level(spdlog::level::off);
}

World::~World() {
  policy_->shut_down();
  policy_bus_.publish(v1::ApprovalRequest(), "", "");  // A question without an id ends the person's thread.
  person_thread_.join();
}

void World::answer_questions() {
  bus::Subscriber questions(std::move(questions_));
  while (true) {
    auto fact = questions.next(system_clock().now() + std::chrono::hours(1));
    if (!fact || !*fact) return;
    const auto* question = (*fact)->as<v1::ApprovalRequest>();
    if (question->approval_id().empty()) return;
    Person person;
    {
      const std::lock_guard hold(mutex_);
      if (keeps_records_) asked_.push_back(*question);
      person = person_;
      asked_changed_.notify_all();
    }
    person(*this, *question);
    const std::lock_guard hold(mutex_);
    ++answered_;
    asked_changed_.notify_all();
  }
}

void World::set_person(Person person) {
  const std::lock_guard hold(mutex_);
  person_ = std::move(person);
}

void World::deny(World& world, const v1::ApprovalRequest& question) {
  v1::DenyRequest request;
  request.set_approval_id(question.approval_id());
  request.set_approver("ada");
  static_cast<void>(world.policy().deny(request));
}

void World::approve(World& world, const v1::ApprovalRequest& question) {
  v1::ApproveRequest request;
  request.set_approval_id(question.approval_id());
  request.set_approver("ada");
  static_cast<void>(world.policy().approve(request));
}

std::vector<v1::ApprovalRequest> World::asked() const {
  const std::lock_guard hold(mutex_);
  return asked_;
}

void World::wait_until_asked(std::size_t times) {
  std::unique_lock hold(mutex_);
  asked_changed_.wait(hold, [&] { return asked_.size() >= times; });
}

void World::wait_until_answered() {
  std::unique_lock hold(mutex_);
  asked_changed_.wait(hold, [&] { return answered_ >= asked_.size(); });
}

World::Open World::open_task(const v1::OpenTaskRequest& request) {
  const auto opened = policy_->open_task(request);
  EXPECT_TRUE(opened) << opened.error().message;
  return opened ? Open{opened->task_id(), opened->task_token()} : Open();
}

World::Open World::open_unlocked() {
  v1::OpenTaskRequest request;
  request.set_unlock_writes(true);
  request.set_opened_by("ada");
  return open_task(request);
}

Result<v1::SubmitReply> World::submit(const Open& task, const v1::Action& action, const std::string& step_id) {
  v1::SubmitRequest request;
  request.set_task_token(task.token);
  std::string id = step_id;
  if (id.empty()) {
    const std::lock_guard hold(mutex_);
    id = "step-" + std::to_string(++steps_);
  }
  *request.mutable_step() = step(action, id);
  return policy_->submit(request, {});
}

v1::SubmitReply World::reply(const Open& task, const v1::Action& action, const std::string& step_id) {
  auto answer = submit(task, action, step_id);
  EXPECT_TRUE(answer) << answer.error().message;
  return answer ? *std::move(answer) : v1::SubmitReply();
}

Result<v1::SubmitReply> World::submit_as(const std::string& token, const v1::Action& action) {
  return submit({"", token}, action);
}

void World::give_focus(const std::string& window, const std::string& element) {
  desktop_world_->change([&](auto& windows) {
    for (auto& each : windows) {
      if (each.id == window) each.focused_element = element;
    }
  });
}

std::string World::open_terminal(const std::string& title) {
  const std::string window = desktop_world_->open_window(title, "/usr/bin/xterm", {700, 400, 400, 200});
  give_focus(window, desktop_world_->add_element(
                         window, {.role = "terminal", .name = "", .bounds = {700, 400, 400, 200}, .editable = true}));
  return window;
}

std::string World::open_field(const std::string& title, const std::string& executable) {
  const std::string window = desktop_world_->open_window(title, executable, {700, 400, 400, 200});
  give_focus(window, desktop_world_->add_element(
                         window, {.role = "text", .name = "", .bounds = {710, 410, 380, 40}, .editable = true}));
  return window;
}

std::string World::open_button(const std::string& name, const std::string& role) {
  const std::string window = desktop_world_->open_window("Question", "/usr/bin/files", {700, 400, 400, 200});
  give_focus(window, desktop_world_->add_element(window, {.role = role, .name = name, .bounds = {850, 480, 100, 40}}));
  return window;
}

std::string World::traces() const {
  std::ostringstream text;
  desktop_world_->change([&](const auto& windows) {
    for (const auto& window : windows) {
      text << window.id << ' ' << window.title << ' ' << window.minimized << ' ' << window.focused_element << '\n';
      for (const auto& element : window.elements) text << "  " << element.id << ' ' << element.text << '\n';
    }
  });
  for (const auto& input : desktop_world_->inputs()) text << input << '\n';
  text << desktop_world_->clipboard();
  return text.str();
}

std::string World::typed() const {
  std::string text;
  desktop_world_->change([&](const auto& windows) {
    if (windows.empty()) return;
    for (const auto& element : windows.front().elements) {
      if (element.id == windows.front().focused_element) text = element.text;
    }
  });
  return text;
}

std::size_t World::acted() const {
  const std::lock_guard hold(mutex_);
  return acted_;
}

std::vector<v1::ExecuteRequest> World::wire() const {
  const std::lock_guard hold(mutex_);
  return wire_;
}

void World::on_next_execute(std::function<void(v1::ExecuteRequest&)> change) {
  const std::lock_guard hold(mutex_);
  change_execute_ = std::move(change);
}

std::string World::element_at(const Open& task, Point at) {
  v1::PrepareRequest request;
  *request.mutable_action() = click(at.x, at.y);
  request.set_task_id(task.task_id);
  const auto evidence = executor_.prepare(request);
  return evidence ? evidence->evidence.target_element().element_id() : "";
}

void World::change_rules(const std::string& team_rules) {
  const auto rules = rules_of(directory_.path(), team_rules);
  ASSERT_TRUE(policy::AcceptedRules(directory_.path() / "policy", rules.file()).accept(rules.toml()));
  const auto reloaded = policy_->reload_rules();
  EXPECT_TRUE(reloaded) << reloaded.error().message;
}

void World::cancel_next_after(int looks) {
  const std::lock_guard hold(mutex_);
  looks_left_ = looks;
}

v1::Outcome World::execute_stolen(const v1::ExecuteRequest& request) {
  return executor_.execute(request, [] { return false; });
}

Result<contract::SealedEvidence> World::prepare(const v1::PrepareRequest& request, Milliseconds, std::stop_token) {
  return executor_.prepare(request);
}

Result<v1::Outcome> World::execute(const v1::ExecuteRequest& request, Milliseconds, std::stop_token stop) {
  v1::ExecuteRequest sent = request;
  std::function<void(v1::ExecuteRequest&)> change;
  std::optional<int> looks_left;
  {
    const std::lock_guard hold(mutex_);
    if (keeps_records_) wire_.push_back(request);
    std::swap(change, change_execute_);
    std::swap(looks_left, looks_left_);
  }
  if (change) change(sent);
  auto outcome = executor_.execute(sent, [&] { return stop.stop_requested() || (looks_left && --*looks_left < 0); });
  const std::lock_guard hold(mutex_);
  if (outcome.kind() != v1::Outcome::KIND_REFUSED) ++acted_;
  return outcome;
}

// Does nothing: no attack pauses the actuator, and the policy has its own pause state.
Result<void> World::pause(const std::string&) { return ok(); }

Result<v1::HeartbeatReply> World::heartbeat(const v1::HeartbeatRequest&, std::stop_token) {
  v1::HeartbeatReply reply;
  reply.set_halted(stops_.halted().has_value());
  return reply;
}

Result<void> World::halt(const std::string& reason) {
  executor_.halt(reason);
  return ok();
}

Result<void> World::resume() { return executor_.resume(); }

}  // namespace da::redteam
