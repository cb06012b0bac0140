#include "services/actuator/overlay/task_overlay.h"

#include <pthread.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "lib/base/text.h"

namespace da::actuator {
namespace {

constexpr char kDriver[] = "driven by DesktopAssist";
constexpr char kStopChord[] = "stop: Ctrl+Shift+Esc";
// The policy keeps at most 100 open questions.
constexpr std::size_t kMostPrepared = 128;
// Between two looks at the clock, while something shows that will end by time.
constexpr Milliseconds kLookInterval{250};

}  // namespace

std::string shown_in_overlay(const std::string& masked, std::size_t most_characters) {
  const std::string escaped = escape_foreign(masked, most_characters);
  std::u32string characters = decode_utf8(escaped).value_or(U"");
  if (characters.size() <= most_characters) return escaped;
  constexpr std::string_view kMore = "...";
  characters.resize(most_characters - kMore.size());
  std::string cut;
  for (const char32_t character : characters) append_utf8(cut, character);
  return cut.append(kMore);
}

TaskOverlay::TaskOverlay(Overlay& overlay, const Clock& clock)
    : overlay_(overlay), clock_(clock), thread_([this] { run(); }) {}

TaskOverlay::~TaskOverlay() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TaskOverlay::hear(const v1::HeartbeatRequest& heartbeat) {
  const std::lock_guard lock(mutex_);
  last_heartbeat_ = clock_.now();
  const bool open = heartbeat.open_tasks_size() > 0;
  std::vector<std::string> waiting(heartbeat.waiting_challenges().begin(), heartbeat.waiting_challenges().end());
  if (open == task_open_ && waiting == waiting_) return;
  task_open_ = open;
  waiting_ = std::move(waiting);
  if (!open) {
    prepared_.clear();
    acting_.reset();
  }
  looks_ = true;
  changed_.notify_all();
}

void TaskOverlay::prepared(const std::string& challenge, ShownStep step) {
  step.justification = shown_in_overlay(step.justification, kMaxOverlayJustification);
  step.question = shown_in_overlay(step.question, kMaxOverlayQuestion);
  const std::lock_guard lock(mutex_);
  prepared_.push_back({challenge, std::move(step)});
  if (prepared_.size() > kMostPrepared) prepared_.pop_front();
}

void TaskOverlay::step_begins(ShownStep step) {
  step.justification = shown_in_overlay(step.justification, kMaxOverlayJustification);
  step.question.clear();
  step.approval_words.clear();
  const std::lock_guard lock(mutex_);
  acting_ = std::move(step);
  acted_.reset();
  looks_ = true;
  changed_.notify_all();
}

void TaskOverlay::step_ends() {
  const std::lock_guard lock(mutex_);
  acted_ = clock_.now();
}

const ShownStep* TaskOverlay::waiting_step() const {
  for (const std::string& challenge : waiting_) {
    const auto found = std::ranges::find(prepared_, challenge, &Prepared::challenge);
    if (found != prepared_.end()) return &found->step;
  }
  return nullptr;
}

std::optional<OverlayContent> TaskOverlay::due_now() const {
  const MonoTime now = clock_.now();
  if (!task_open_ || now - last_heartbeat_ > kTasksStayOpen) return std::nullopt;
  const bool acts = acting_ && (!acted_ || now - *acted_ <= kStepStays);
  const ShownStep* const step = acts ? &*acting_ : waiting_step();
  OverlayContent content{.driver = kDriver, .stop_chord = kStopChord};
  if (step == nullptr) return content;
  content.justification = step->justification;
  content.question = step->question;
  content.approval_words = step->approval_words;
  if (!content.approval_words.empty() && waiting_.size() > 1) {
    content.approval_words += ", and " + std::to_string(waiting_.size() - 1) + " more";
  }
  content.marker = step->marker;
  return content;
}

std::optional<OverlayContent> TaskOverlay::due() const {
  const std::lock_guard lock(mutex_);
  return due_now();
}

void TaskOverlay::run() {
  pthread_setname_np(pthread_self(), "overlay");
  std::optional<OverlayContent> shown;  // Or refused.
  bool tries_again = false;
  std::unique_lock lock(mutex_);
  while (!ends_) {
    looks_ = false;
    std::optional<OverlayContent> content = due_now();
    if (content != shown) {
      lock.unlock();
      const auto brought_up = bring_up(content);
      lock.lock();
      note(brought_up);
      shows_ = content && brought_up;
      tries_again = !brought_up && brought_up.error().code == Code::kFailedPrecondition;
      shown = std::move(content);
      continue;
    }
    const auto woken = [this] { return ends_ || looks_; };
    if (tries_again) {
      changed_.wait_for(lock, kLookInterval, woken);
      shown.reset();
      tries_again = false;
    } else if (shown) {
      changed_.wait_for(lock, kLookInterval, woken);
    } else {
      changed_.wait(lock, woken);
    }
  }
  lock.unlock();
  if (shown) overlay_.hide();
}

Result<void> TaskOverlay::bring_up(const std::optional<OverlayContent>& content) {
  if (content) return overlay_.show(*content);
  overlay_.hide();
  return ok();
}

// A desktop that cannot show the overlay does its tasks without it.
void TaskOverlay::note(const Result<void>& shown) {
  const std::string problem = shown ? "" : shown.error().message;
  if (problem != problem_ && !problem.empty()) spdlog::warn("overlay: {}", problem);
  problem_ = problem;
}

std::string TaskOverlay::describe() const {
  const std::lock_guard lock(mutex_);
  if (!problem_.empty()) return problem_;
  return shows_ ? "shown" : "no task to show";
}

}  // namespace da::actuator
