#include "services/actuator/person_at_desk.h"

namespace da::actuator {
namespace {

// What the disk, the log and the step under way get to say that it was the kill switch. Nothing is typed any more.
constexpr Milliseconds kLastWords{500};
// Nobody says when an answer has left for its caller.
constexpr Milliseconds kAnswerLeaves{20};

}  // namespace

PersonAtDesk::PersonAtDesk(Desktop& desktop, Executor& executor, std::function<void()> end)
    : desktop_(desktop), executor_(executor), end_(std::move(end)) {
  desktop_.person_watch().watch([this](PersonInput input) { noticed(input); });
}

PersonAtDesk::~PersonAtDesk() {
  desktop_.person_watch().watch({});
  if (last_words_.joinable()) last_words_.join();
  if (end_thread_.joinable()) end_thread_.join();
}

void PersonAtDesk::noticed(PersonInput input) {
  switch (input) {
    case PersonInput::kKillSwitch: return kill_switch();
    case PersonInput::kKeyboard: return executor_.person_acts("a person uses the keyboard");
    case PersonInput::kMouse: return executor_.person_acts("a person uses the mouse");
  }
}

// Whoever brings the news may be the one that has to finish the step under way, so it is not kept.
void PersonAtDesk::kill_switch() {
  desktop_.input().shut();
  std::call_once(pressed_, [this] {
    last_words_ = std::thread([this] {
      executor_.halt("the kill switch, Ctrl+Shift+Esc, was pressed at the desktop", "a person at the desktop");
      executor_.await_idle(kLastWords);
      std::this_thread::sleep_for(kAnswerLeaves);
      said_.set_value();
    });
    // The disk may hang.
    end_thread_ = std::thread([this] {
      said_.get_future().wait_for(kLastWords);
      end_();
    });
  });
}

}  // namespace da::actuator
