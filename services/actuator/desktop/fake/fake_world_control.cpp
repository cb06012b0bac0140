// Lets a test change the fake desktop and read it.
#include <algorithm>

#include "services/actuator/desktop/fake/fake_world.h"

namespace da::actuator::fake {

void FakeWorld::install(const std::string& name, const std::string& executable) {
  const std::lock_guard lock(mutex_);
  installed_[name] = executable;
}

void FakeWorld::install_failing(const std::string& name, const std::string& executable, int exit_status,
                                const std::string& last_line) {
  const std::lock_guard lock(mutex_);
  installed_[name] = executable;
  failing_[name] = {exit_status, last_line};
}

void FakeWorld::person(PersonInput input) {
  const std::lock_guard lock(notice_mutex_);
  if (notice_) notice_(input);
}

void FakeWorld::blind_person_watch(std::optional<std::string> why) {
  const std::lock_guard lock(mutex_);
  blindness_ = std::move(why);
}

int FakeWorld::own_clicks() const {
  const std::lock_guard lock(mutex_);
  return own_clicks_;
}

std::string FakeWorld::clicked_part() const {
  const std::lock_guard lock(mutex_);
  return clicked_part_;
}

int FakeWorld::forgotten() const {
  const std::lock_guard lock(mutex_);
  return forgotten_;
}

void FakeWorld::obstruct_session(std::optional<SessionObstacle> obstacle) {
  const std::lock_guard lock(mutex_);
  obstacle_ = std::move(obstacle);
}

void FakeWorld::when_clipboard_is_taken(std::function<void()> owner) {
  const std::lock_guard lock(mutex_);
  clipboard_owner_ = std::move(owner);
}

void FakeWorld::change(const std::function<void(std::list<FakeWindow>&)>& change) {
  const std::lock_guard lock(mutex_);
  change(windows_);
  touched();
}

std::string FakeWorld::text_of(const std::string& element_name) const {
  const std::lock_guard lock(mutex_);
  for (const FakeWindow& window : windows_) {
    for (const FakeElement& element : window.elements) {
      if (element.name == element_name) return element.text;
    }
  }
  return {};
}

std::vector<std::string> FakeWorld::titles() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> titles;
  for (const FakeWindow& window : windows_) titles.push_back(window.title);
  return titles;
}

std::string FakeWorld::clipboard() const {
  const std::lock_guard lock(mutex_);
  return clipboard_;
}

std::vector<std::string> FakeWorld::inputs() const {
  const std::lock_guard lock(mutex_);
  return inputs_;
}

std::vector<std::string> FakeWorld::received_by(const std::string& title) {
  const std::lock_guard lock(mutex_);
  deliver_releases();
  const auto found = std::ranges::find(windows_, title, &FakeWindow::title);
  return found == windows_.end() ? std::vector<std::string>() : found->received;
}

bool FakeWorld::holds_anything() const {
  const std::lock_guard lock(held_mutex_);
  return held_.has_value();
}

}  // namespace da::actuator::fake
