#include "services/actuator/stopping/user_activity_monitor.h"

namespace da::actuator {
namespace {

// Time for the disk, the log and the step under way to record the kill switch. No input is sent any more.
constexpr Milliseconds kLastWords{500};
// Time for the bus's own thread to write the flushed facts to the network: nothing reports that it has.
constexpr Milliseconds kFactsLeave{5};

}  // namespace

UserActivityMonitor::UserActivityMonitor(Desktop& desktop, Executor& executor, bus::Publisher& bus,
                                         std::function<void()> end)
    : desktop_(desktop), executor_(executor), bus_(bus), end_(std::move(end)) {
  desktop_.person_watch().watch([this](PersonInput input) { noticed(input); });
}

UserActivityMonitor::~UserActivityMonitor() {
  desktop_.person_watch().watch({});
  if (last_words_.joinable()) last_words_.join();
  if (end_thread_.joinable()) end_thread_.join();
}

void UserActivityMonitor::noticed(PersonInput input) {
  switch (input) {
    case PersonInput::kKillSwitch: return kill_switch();
    case PersonInput::kKeyboard: return executor_.person_acts("a person uses the keyboard");
    case PersonInput::kMouse: return executor_.person_acts("a person uses the mouse");
  }
}

// May run on the thread of the step under way: must not block.
void UserActivityMonitor::kill_switch() {
  desktop_.input().shut();
  std::call_once(pressed_, [this] {
    last_words_ = std::thread([this] {
      executor_.halt("the kill switch, Ctrl+Shift+Esc, was pressed at the desktop", "a person at the desktop");
      executor_.unanswered().await_none(kLastWords);
      bus_.flush(kLastWords);
      std::this_thread::sleep_for(kFactsLeave);
      said_.set_value();
    });
    // A separate thread, because the disk may hang.
    end_thread_ = std::thread([this] {
      said_.get_future().wait_for(kLastWords);
      end_();
    });
  });
}

}  // namespace da::actuator
