// A small desktop with time of its own, for the planner's tests: windows, elements, the focus, and an editor with a
// Save dialog that behaves as real ones do (windows appear late, Save turns sensitive after the typing, an Enter before
// that is ignored). The observer and the policy that stand on it wait by letting the time go on. One thread, but for
// Policy gates, which another thread may open.
#pragma once

#include <condition_variable>
#include <mutex>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "services/planner/roles.h"

namespace da::planner {

inline constexpr int kDesktopWidth = 1280;
inline constexpr int kDesktopHeight = 800;
inline constexpr int kImageScale = 2;  // Images are half as wide and high.

struct FakeElement {
  std::string id;
  std::string window_id;
  std::string role;
  std::string name;
  std::string text;
  Rect bounds{100, 100, 80, 20};
  bool enabled = true;
  bool editable = false;
  bool checked = false;
  bool painted_only = false;  // Seen by OCR alone.
  std::function<void()> on_click;
};

struct FakeWindow {
  std::string id;
  std::string title;
  std::string executable;
  Rect bounds{0, 0, 800, 600};
  v1::Window::Kind kind = v1::Window::KIND_UNSPECIFIED;
  std::uint32_t pid = 0;
};

class FakeWorld {
 public:
  ManualClock clock;
  std::vector<FakeWindow> windows;
  std::string focused_window;
  std::string focused_element;
  std::vector<std::unique_ptr<FakeElement>> elements;
  std::map<std::string, std::string> files;  // What was saved or is there to delete.
  std::vector<std::string> performed;        // Actions, in words.
  std::vector<v1::LaunchedProcess> launched;
  bool restless = false;  // Something on the screen never rests.
  std::function<void(const std::string& command)> on_launch;
  std::function<void(const std::vector<std::string>& keys)> on_keys;
  std::function<void(FakeElement&)> on_typed;

  // Something happens this much later, and changes the screen.
  void after(Milliseconds delay, std::function<void()> happens);
  void advance(Milliseconds by);
  // Until nothing changed for 300 ms; false where max_wait was over before.
  bool settle(Milliseconds max_wait);

  FakeWindow& open_window(FakeWindow window);
  void close_window(const std::string& id);
  FakeElement& add(FakeElement element);
  FakeElement* element(const std::string& id);

  v1::Observation observation(bool settled) const;
  // Carries the action out, at once.
  v1::Outcome perform(const v1::Action& action);

 private:
  void type(const std::string& text);
  void click(FakeElement* target);
  FakeElement* element_at(int x, int y);

  std::multimap<MonoTime, std::function<void()>> coming_;
  MonoTime changed_at_ = clock.now();
};

// "mousepad": its window opens 200 ms after the launch, its text has the focus 100 ms later. ctrl+s opens the dialog
// after 80 ms. 450 ms after the last character in the name field Save turns sensitive.
void install_editor(FakeWorld& world);

class FakeObserver final : public Observer {
 public:
  explicit FakeObserver(FakeWorld& world) : world_(world) {}

  Result<v1::Observation> observe(const v1::ObserveRequest& request, rpc::Canceller& canceller) override;
  Result<v1::LocateReply> locate(const v1::LocateRequest& request, rpc::Canceller& canceller) override;

  Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, rpc::Canceller& canceller) override;
  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, rpc::Canceller& canceller) override;
  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, rpc::Canceller& canceller) override;

  std::optional<Error> lost;      // What every call answers, once it is set.
  bool incomplete = false;        // Of the screen not all can be seen.
  std::function<void()> on_call;  // Before each call.

 private:
  bool is_wanted(const v1::LocateRequest& request, const FakeElement& element) const;
  v1::LocateReply look_for(const v1::LocateRequest& request) const;

  FakeWorld& world_;
};

class FakePolicy final : public Policy {
 public:
  explicit FakePolicy(FakeWorld& world) : world_(world) {}

  Result<void> connect() override {
    if (is_there) return ok();
    return Error{Code::kUnavailable, "da-policy cannot be reached"};
  }
  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, Milliseconds timeout,
                                 rpc::Canceller& canceller) override;
  Result<v1::AwaitHaltReply> await_halt(const std::string& task_token, Milliseconds max_wait,
                                        rpc::Canceller& canceller) override;
  Result<v1::AwaitResumeReply> await_resume(const std::string& task_token, Milliseconds max_wait,
                                            rpc::Canceller& canceller) override;
  Result<void> close_task(const v1::CloseTaskRequest& request) override;

  // Halts, as a person at the console would. Any thread.
  void halt(const std::string& reason);
  // Pauses, and refuses what is submitted as paused, until it is resumed. Any thread.
  void pause(v1::Pause::Cause cause, const std::string& reason);
  void resume();
  // Until somebody waits in vain for a resume.
  void wait_until_awaited();

  // Replies instead of carrying the action out; nullopt lets it go on.
  std::function<std::optional<Result<v1::SubmitReply>>(const v1::SubmitRequest&)> intercept;
  bool is_there = true;             // Else there is no connection to it.
  bool waits_for_a_person = false;  // Submit returns only when it is cancelled.
  std::vector<v1::SubmitRequest> submitted;
  std::vector<std::string> closed_tokens;

 private:
  std::mutex halt_mutex_;
  std::condition_variable halt_changed_;
  std::string halt_reason_;  // Empty: not halted.
  std::optional<v1::Pause> pause_;
  bool awaited_ = false;
  FakeWorld& world_;
};

v1::SubmitReply verdict(v1::Verdict::Decision decision, v1::Outcome::Kind kind = v1::Outcome::KIND_UNSPECIFIED,
                        v1::Outcome::Code code = v1::Outcome::CODE_UNSPECIFIED);

}  // namespace da::planner
