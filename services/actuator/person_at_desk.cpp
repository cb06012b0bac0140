#include "services/actuator/person_at_desk.h"

#include <future>
#include <thread>

namespace da::actuator {
namespace {

// What the disk, the log and the step under way get to say that it was the kill switch. Nothing is typed any more.
constexpr Milliseconds kLastWords{100};
// Nobody says when an answer has left for its caller.
constexpr Milliseconds kAnswerLeaves{20};

}  // namespace

PersonAtDesk::PersonAtDesk(Desktop& desktop, Executor& executor, std::function<void()> end)
    : desktop_(desktop), executor_(executor), end_(std::move(end)) {
  desktop_.person_watch().watch([this](PersonInput input) { noticed(input); });
}

PersonAtDesk::~PersonAtDesk() { desktop_.person_watch().watch({}); }

void PersonAtDesk::noticed(PersonInput input) {
  switch (input) {
    case PersonInput::kKillSwitch: return kill_switch();
    case PersonInput::kKeyboard: return executor_.person_acts("a person uses the keyboard");
    case PersonInput::kMouse: return executor_.person_acts("a person uses the mouse");
  }
}

// The thread may hang on the disk: it is not waited for.
void PersonAtDesk::kill_switch() {
  desktop_.input().shut();
  std::promise<void> said;
  std::future<void> done = said.get_future();
  std::thread([this, said = std::move(said)]() mutable {
    executor_.halt("the kill switch, Ctrl+Shift+Esc, was pressed at the desktop", "a person at the desktop");
    executor_.await_idle(kLastWords);
    std::this_thread::sleep_for(kAnswerLeaves);
    said.set_value();
  }).detach();
  done.wait_for(kLastWords);
  end_();
}

}  // namespace da::actuator
