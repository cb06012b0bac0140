#include "services/actuator/desktop/fake/fake_desktop.h"

#include <utility>

#include "services/actuator/desktop/fake/fake_applications.h"
#include "services/actuator/desktop/fake/fake_desktop_state.h"
#include "services/actuator/desktop/fake/fake_input.h"
#include "services/actuator/desktop/fake/fake_screen.h"
#include "services/actuator/desktop/fake/fake_ui_tree.h"
#include "services/actuator/desktop/fake/fake_windows.h"

namespace da::actuator {
namespace fake {

template <class Role>
class FakeRole : public Role {
 public:
  explicit FakeRole(FakeWorld& world) : world_(world) {}

 protected:
  FakeWorld& world_;
};

class FakeClipboard final : public FakeRole<Clipboard> {
 public:
  using FakeRole::FakeRole;
  Result<void> set_text(std::string_view text) override {
    notify_owner();
    const std::lock_guard lock(world_.mutex_);
    world_.received("clipboard " + std::string(text));
    world_.clipboard_ = text;
    world_.clipboard_fetched_ = false;
    return ok();
  }
  Result<void> expect_paste() override { return ok(); }  // The fake has one application.
  Result<bool> wait_until_fetched(MonoTime deadline) override {
    std::unique_lock lock(world_.mutex_);
    return world_.changed_.wait_until(lock, deadline, [this] { return world_.clipboard_fetched_; });
  }

 private:
  // Called without the lock: the old owner may take long to hand over its content.
  void notify_owner() {
    std::unique_lock lock(world_.mutex_);
    const auto owner = std::exchange(world_.clipboard_owner_, {});
    lock.unlock();
    if (owner) owner();
  }
};

class FakePersonWatch final : public FakeRole<PersonWatch> {
 public:
  using FakeRole::FakeRole;
  ~FakePersonWatch() override { FakePersonWatch::watch({}); }
  void watch(Notice notice) override {
    const std::lock_guard lock(world_.notice_mutex_);
    world_.notice_ = std::move(notice);
  }
  void look() override {}
  std::optional<std::string> blindness() override {
    const std::lock_guard lock(world_.mutex_);
    return world_.blindness_;
  }
};

class FakeSession final : public FakeRole<Session> {
 public:
  using FakeRole::FakeRole;
  Result<std::optional<SessionObstacle>> obstacle() override {
    const std::lock_guard lock(world_.mutex_);
    return world_.obstacle_;
  }
};

namespace {

class FakeDesktop final : public Desktop {
 public:
  FakeDesktop(std::shared_ptr<FakeWorld> world, FilesOptions files)
      : world_(std::move(world)), files_(open_system_files(std::move(files), system_clock())) {}

  std::string_view id() const override { return "fake:0"; }
  Screen& screen() override { return screen_; }
  Input& input() override { return input_; }
  Windows& windows() override { return windows_; }
  Applications& applications() override { return applications_; }
  UiTree& ui_tree() override { return ui_tree_; }
  Clipboard& clipboard() override { return clipboard_; }
  PersonWatch& person_watch() override { return person_watch_; }
  Session& session() override { return session_; }
  DesktopState& state() override { return state_; }
  Files& files() override { return *files_; }
  Overlay& overlay() override { return world_->overlay(); }

 private:
  std::shared_ptr<FakeWorld> world_;
  FakeScreen screen_{*world_};
  FakeInput input_{*world_};
  FakeWindows windows_{*world_};
  FakeApplications applications_{*world_};
  FakeUiTree ui_tree_{*world_};
  FakeClipboard clipboard_{*world_};
  FakePersonWatch person_watch_{*world_};
  FakeSession session_{*world_};
  FakeDesktopState state_{*world_};
  std::unique_ptr<Files> files_;
};

}  // namespace
}  // namespace fake

std::unique_ptr<Desktop> open_fake_desktop(std::shared_ptr<fake::FakeWorld> world, FilesOptions files) {
  return std::make_unique<fake::FakeDesktop>(std::move(world), std::move(files));
}

}  // namespace da::actuator
