// A small desktop with its own clock, for the planner's tests: windows, elements, the focus, and an editor with a Save
// dialog that behaves like real ones (windows appear late, Save is enabled after the typing, an earlier Enter is
// ignored). Its observer and policy wait by advancing the clock. One thread, except for the policy's gates, which
// another thread may open.
#pragma once

#include <atomic>
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
inline constexpr int kImageScale = 2;  // Images have half the width and height.

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
  bool painted_only = false;  // Only OCR finds it.
  bool selectable = false;
  bool selected = false;
  std::optional<v1::UiRange> range = std::nullopt;
  std::string parent_id = {};
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
  std::map<std::string, std::string> files;  // Files that were saved or can be deleted.
  std::vector<std::string> performed;        // Actions, in words.
  std::vector<v1::LaunchedProcess> launched;
  bool restless = false;  // A part of the screen never settles.
  std::function<void(const std::string& command)> on_launch;
  std::function<void(const std::vector<std::string>& keys)> on_keys;
  std::function<void(FakeElement&)> on_typed;

  // Schedules a change of the screen after this time.
  void after(Milliseconds delay, std::function<void()> happens);
  void advance(Milliseconds by);
  // Waits until nothing changed for 300 ms; false after max_wait.
  bool settle(Milliseconds max_wait);

  FakeWindow& open_window(FakeWindow window);
  void close_window(const std::string& id);
  FakeElement& add(FakeElement element);
  FakeElement* element(const std::string& id);

  v1::Observation observation(bool settled) const;
  // Carries out the action at once.
  v1::Outcome perform(const v1::Action& action);

 private:
  void type(const std::string& text);
  void click(FakeElement* target);
  FakeElement* element_at(int x, int y);

  std::multimap<MonoTime, std::function<void()>> coming_;
  bool content_selected_ = false;  // By ctrl+a: the next text replaces it.
  MonoTime changed_at_ = clock.now();
};

// "mousepad": its window opens 200 ms after the launch, and its text gets the focus 100 ms later. ctrl+s opens the
// dialog after 80 ms. Save is enabled 450 ms after the last character in the name field.
void install_editor(FakeWorld& world);

class FakeObserver final : public Observer {
 public:
  explicit FakeObserver(FakeWorld& world) : world_(world) {}

  Result<v1::Observation> observe(const v1::ObserveRequest& request, std::stop_token stop) override;
  Result<v1::LocateReply> locate(const v1::LocateRequest& request, std::stop_token stop) override;

  static v1::ImageFact image_of(const std::string& image_hash);
  Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, std::stop_token stop) override;
  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, std::stop_token stop) override;
  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, std::stop_token stop) override;
  // Reads the names and texts of elements whose middle is in the region. A pixel of an element is green, or grey if it
  // is disabled; others are white. The picture template_of(name) is where the element of this name is.
  Result<v1::AnalyzeReply> analyze(const v1::AnalyzeRequest& request, std::stop_token stop) override;
  // A picture of a region is its content, and has its size divided by picture_scale.
  static std::string template_of(const std::string& name) { return "\x89PNG\r\n\x1a\n" + name; }

  // A wait for a change lets the world's time pass; with `waits_block` it lasts until the stop.
  std::vector<v1::AnalyzeRequest> analyzed;
  bool waits_block = false;
  std::atomic<int> waits = 0;  // That have begun.
  bool changes_reported = true;
  int picture_scale = 1;
  int regions_analysed = 0;                      // Those that were not unchanged.
  std::map<std::string, std::string> templates;  // By digest. May be cleared, as a restart does.
  std::optional<Error> lost;                     // If set, the answer of every call.
  bool incomplete = false;                       // A part of the screen cannot be read.
  std::function<void()> on_call;                 // Before each call.

 private:
  bool is_wanted(const v1::LocateRequest& request, const FakeElement& element) const;
  v1::RegionAnalysis analyse(const v1::RegionQuery& query);
  v1::AnalyzeReply look(const v1::AnalyzeRequest& request);
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
  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, Milliseconds timeout, std::stop_token stop) override;
  Result<v1::AwaitHaltReply> await_halt(const std::string& task_token, Milliseconds max_wait,
                                        std::stop_token stop) override;
  Result<v1::AwaitResumeReply> await_resume(const std::string& task_token, Milliseconds max_wait,
                                            std::stop_token stop) override;
  Result<void> close_task(const v1::CloseTaskRequest& request) override;

  // Halts, like a person at the console. Any thread.
  void halt(const std::string& reason);
  // Pauses, and refuses submissions as paused until the resume. Any thread.
  void pause(v1::Pause::Cause cause, const std::string& reason);
  void resume();
  // Waits until a caller waits for a resume.
  void wait_until_awaited();

  // Returns a reply instead of carrying out the action; nullopt carries it out.
  std::function<std::optional<Result<v1::SubmitReply>>(const v1::SubmitRequest&)> intercept;
  bool is_there = true;             // False: there is no connection.
  bool waits_for_a_person = false;  // submit() returns only after a stop request.
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
