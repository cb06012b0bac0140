// The observer's calls with one task's id, token, time limit and cancellation, and waits that are built on them. A wait
// asks the observer, which answers when the screen has settled. Only the task's thread calls. Waits end at the task's
// time limit.
// Errors: those of roles.h; the waits add kNotFound and kFailedPrecondition (timeout, ambiguous target) with the cause.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "lib/contract/task_token.h"
#include "services/planner/roles.h"
#include "services/planner/task/task_cancel.h"
#include "services/planner/tools/element_query.h"

namespace da::planner {

// Timeout for a target or a window to appear, enabled and settled.
inline constexpr Milliseconds kTargetWait{10'000};
// Timeout for the screen to settle; after it, the decision is made anyway.
inline constexpr Milliseconds kSettleWait{5'000};

enum class Ocr { kWithout, kWith };

// Options for a task's images.
struct ImageWants {
  v1::ImageWish wish = v1::IMAGE_WISH_ANNOTATED;
  bool marks = false;      // Draw numbers on the usable elements.
  v1::ImageLimits limits;  // Default: any size.
  bool read = false;       // The planner reads each image: the observer returns it at once.
};
// What an observation waits for and contains.
enum class View {
  kSettledScreen,       // Windows, focus and elements, after the screen has settled.
  kSettledApplication,  // Windows and focus, after the focused application is idle: before keys.
  kState,               // Windows and focus, now.
};
enum class Picture {
  kNone,
  kUsual,  // Drawn as ImageWants says.
  kPlain,  // The same, without any drawing over it.
};

class TaskView {
 public:
  TaskView(Observer& observer, const Clock& clock, TaskCancel& cancel, std::string task_id,
           const std::string& task_token, MonoTime time_limit)
      : observer_(observer),
        clock_(clock),
        cancel_(cancel),
        task_id_(std::move(task_id)),
        token_(contract::observation_token(task_token)),
        time_limit_(time_limit) {}

  const Clock& clock() const { return clock_; }
  TaskCancel& cancel() { return cancel_; }
  MonoTime time_limit() const { return time_limit_; }
  bool time_is_over() const { return clock_.now() >= time_limit_; }
  MonoTime deadline_after(Milliseconds wait) const;

  void want_images(ImageWants wants) { image_wants_ = std::move(wants); }
  const ImageWants& image_wants() const { return image_wants_; }
  // What the requests from now on are for: the id of a step or plan. At first the task.
  void set_cause(std::string id) { cause_ = std::move(id); }
  const std::string& cause() const { return cause_; }

  // Returns when the view has settled, or after max_wait (see Observation.settled). 0 means now. The changes that it
  // tells are those since the last look(), although look_until() has observed meanwhile.
  Result<v1::Observation> look(Picture picture, Milliseconds max_wait, View view = View::kSettledScreen);

  // The image of a recent observation.
  Result<v1::ImageFact> image(const std::string& image_hash);
  // A part of the desktop now, enlarged within the limits. `area` is in desktop pixels.
  Result<v1::ImageFact> zoom(const v1::Rect& area);
  Result<v1::UiTree> ui_tree();
  // This element now, which costs its application less than the tree; nullopt if it is gone.
  Result<std::optional<v1::UiNode>> element(const std::string& element_id);
  // Elements that were seen checked: a plain role, as of Qt 5's menu items, does not tell that one can be checked.
  // An object of a list may get another row's name.
  void note_checked(const v1::UiNode& node) { seen_checked_.insert({node.element_id(), node.role(), node.name()}); }
  bool was_checked(const v1::UiNode& node) const {
    return seen_checked_.contains({node.element_id(), node.role(), node.name()});
  }
  // The request's regions, now. Fills in the task, its token, the cause and the number.
  Result<v1::AnalyzeReply> analyze(v1::AnalyzeRequest request);

  // The number of the last analyze or find, by which a recording names its answer.
  std::uint64_t last_number() const { return last_number_; }

  // The frame in which the last find looked; empty: none did.
  const std::string& last_found_frame() const { return last_found_frame_; }

  // A target is a name or the written form of element_query.h.
  Result<v1::LocateReply> find(const std::string& target, v1::Actionable actionable, Ocr ocr, Milliseconds max_wait);
  Result<v1::LocateReply> find(const ElementQuery& query, v1::Actionable actionable, Ocr ocr, Milliseconds max_wait);

  // The only match; the error lists the candidates (kInvalidArgument), or says what is missing.
  Result<v1::Candidate> find_one(const std::string& target, v1::Actionable actionable, Ocr ocr, Milliseconds max_wait);

  // Observes at once, and again whenever the view has settled, until the condition is true. False after max_wait.
  Result<bool> look_until(const std::function<Result<bool>(const v1::Observation&)>& holds, Milliseconds max_wait,
                          View view = View::kSettledScreen);

  // Waits for a window whose title contains `title`, as names are compared; returns the one that fits best.
  Result<v1::Window> await_window(const std::string& title, Milliseconds max_wait);

 private:
  struct Changes {
    std::uint32_t tiles = 0;
    Rect area;  // Desktop pixels.
  };

  Result<v1::Observation> observe(Picture picture, Milliseconds max_wait, View view);
  Result<v1::UiTree> read_ui(v1::ReadUiRequest request);  // Fills in the task, its token and the cause.

  Observer& observer_;
  const Clock& clock_;
  TaskCancel& cancel_;
  const std::string task_id_;
  const std::string token_;
  const MonoTime time_limit_;
  ImageWants image_wants_;
  std::string cause_ = task_id_;
  std::uint64_t last_number_ = 0;
  std::string last_found_frame_;
  std::set<std::array<std::string, 3>> seen_checked_;
  Changes missed_;                         // What look_until() has observed since the last look().
  std::optional<v1::ImageFact> returned_;  // Image of the last look; image() takes it.
};

// True if the service is lost or the call was cancelled, so that the task cannot continue. Other errors are answers.
bool is_lost_or_cancelled(const Error& error);

// The result of find_one for this reply.
Result<v1::Candidate> the_one_of(const v1::LocateReply& reply, const std::string& target, Milliseconds waited);

// "Save" (push button at 400,300), for people; foreign text escaped.
std::string describe_candidate(const v1::Candidate& candidate);
// `push button "Save" in mousepad`, or `text "Save"` for text found by OCR.
std::string name_candidate(const v1::Candidate& candidate,
                           const google::protobuf::RepeatedPtrField<v1::Window>& windows);
// "; nearest: ..." with the candidates of the reply; empty if it has none.
std::string nearest_text(const v1::LocateReply& reply);
// " (waited 10 s)"; empty for 0.
std::string waited_text(Milliseconds wait);
// The window whose title fits best: equal, then equal as names are compared, then the first that contains `title`.
std::optional<v1::Window> best_titled(const google::protobuf::RepeatedPtrField<v1::Window>& windows,
                                      const std::string& title);

std::string describe_windows(const google::protobuf::RepeatedPtrField<v1::Window>& windows);
v1::Point center_of(const v1::Rect& bounds);
bool has_state(const v1::UiNode& node, v1::UiState state);

}  // namespace da::planner
