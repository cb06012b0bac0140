// What one task sees: the observer's calls with the task's id, time limit and cancellation in place, and the waits that
// are made of them. Waiting means asking the observer, which answers once the screen has come to rest.
// One thread, the task's. Times are clamped to the task's time limit.
// Errors: as roles.h says; the waits add kNotFound, kFailedPrecondition (not in time, ambiguous; with what was
// missing).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/contract/observation_token.h"
#include "services/planner/roles.h"
#include "services/planner/task_cancel.h"

namespace da::planner {

// How long a target or a window may take to be there, enabled and at rest.
inline constexpr Milliseconds kTargetWait{10'000};
// How long the screen may take to come to rest before a decision is made anyway.
inline constexpr Milliseconds kSettleWait{5'000};

enum class Ocr { kWithout, kWith };

// How the images of a task are to be.
struct ImageWants {
  v1::ImageWish wish = v1::IMAGE_WISH_ANNOTATED;
  bool marks = false;      // Numbers on the elements that can be used.
  v1::ImageLimits limits;  // Any size unless it is said.
};
// What a look waits for and reads.
enum class View {
  kSettledScreen,       // Everything that shows, with its elements, once it has come to rest.
  kSettledApplication,  // Windows and focus, once the application with the focus draws and does nothing more: for keys.
  kState,               // Windows and focus as they are now.
};
enum class Picture {
  kNone,
  kUsual,  // As wanted.
  kPlain,  // As wanted, with nothing drawn over it.
};

class Sight {
 public:
  Sight(Observer& observer, const Clock& clock, TaskCancel& cancel, std::string task_id, const std::string& task_token,
        MonoTime time_limit)
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

  // Once there is the rest that the view asks for, or max_wait is over (Observation.settled tells which). 0: as it is
  // now.
  Result<v1::Observation> look(Picture picture, Milliseconds max_wait, View view = View::kSettledScreen);

  // The image that a late observation named.
  Result<v1::ImageFact> image(const std::string& image_hash);
  // A part of the desktop as it is now, in desktop pixels, larger where there is room.
  Result<v1::ImageFact> zoom(const v1::Rect& area);
  Result<v1::UiTree> ui_tree();

  // Targets are names, or as element_query.h writes them.
  Result<v1::LocateReply> find(const std::string& target, v1::Actionable actionable, Ocr ocr, Milliseconds max_wait);

  // The one place that is meant; the error lists the candidates, or says what is missing.
  Result<v1::Candidate> find_one(const std::string& target, v1::Actionable actionable, Ocr ocr, Milliseconds max_wait);

  // Looks until it holds, at once and then after each rest that the view asks for. False where it did not hold in time.
  Result<bool> look_until(const std::function<Result<bool>(const v1::Observation&)>& holds, Milliseconds max_wait,
                          View view = View::kSettledScreen);

  // Until a window's title contains this, in any case.
  Result<v1::Window> await_window(const std::string& title, Milliseconds max_wait);

 private:
  Observer& observer_;
  const Clock& clock_;
  TaskCancel& cancel_;
  const std::string task_id_;
  const std::string token_;
  const MonoTime time_limit_;
  ImageWants image_wants_;
};

// The task cannot go on, whatever the question was: the service is gone, or the call was cancelled. Every other error
// is the service's answer.
bool is_lost_or_cancelled(const Error& error);

// What find_one makes of an answer.
Result<v1::Candidate> the_one_of(const v1::LocateReply& reply, const std::string& target, Milliseconds waited);

// "Save" (push button at 400,300), for people; foreign text escaped.
std::string describe_candidate(const v1::Candidate& candidate);
// `push button "Save" in mousepad`, and `text "Save"` for text that was read.
std::string name_candidate(const v1::Candidate& candidate,
                           const google::protobuf::RepeatedPtrField<v1::Window>& windows);
// "; nearest: ..." with what a reply has to offer; empty where that is nothing.
std::string nearest_text(const v1::LocateReply& reply);
std::string describe_windows(const google::protobuf::RepeatedPtrField<v1::Window>& windows);
v1::Point center_of(const v1::Rect& bounds);
bool has_state(const v1::UiNode& node, v1::UiState state);

}  // namespace da::planner
