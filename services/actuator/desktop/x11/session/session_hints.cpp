#include "services/actuator/desktop/x11/session/session_hints.h"

#include <poll.h>
#include <pthread.h>

#include <algorithm>
#include <string_view>

namespace da::actuator::x11 {
namespace {

constexpr int kLongestPollMs = 60'000;
// Limits the delay of opening the desktop when a bus does not answer.
constexpr Milliseconds kFirstAnswers{1'000};

int poll_ms(sd_bus* bus) {
  std::uint64_t until = 0;
  if (bus == nullptr || sd_bus_get_timeout(bus, &until) < 0 || until == UINT64_MAX) return kLongestPollMs;
  // sd-bus uses CLOCK_MONOTONIC, as this clock does.
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(system_clock().now().time_since_epoch());
  const std::int64_t left = (static_cast<std::int64_t>(until) - now.count() + 999) / 1000;
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, kLongestPollMs));
}

std::string reported_by(std::string_view service) { return "reported by " + std::string(service); }

}  // namespace

SessionHints::SessionHints(std::string display, os::Pipe stop)
    : stop_(std::move(stop)), logind_(std::move(display), [this] { hear(logind_heard_); }) {}

Result<std::unique_ptr<SessionHints>> SessionHints::open(const std::string& display) {
  ASSIGN_OR_RETURN(os::Pipe stop, os::make_pipe());
  std::unique_ptr<SessionHints> hints(new SessionHints(display, std::move(stop)));
  hints->thread_ = std::thread([raw = hints.get()] { raw->run(); });
  std::unique_lock lock(hints->mutex_);
  hints->heard_.wait_until(lock, system_clock().now() + kFirstAnswers, [&] { return hints->silent_ == 0; });
  return hints;
}

SessionHints::~SessionHints() {
  stop_.writer.reset();
  thread_.join();
}

std::optional<std::string> SessionHints::locked() const {
  for (const Source& source : screen_savers_) {
    if (source.locked) return reported_by(source.name);
  }
  if (logind_.locked()) return reported_by(LogindHint::kName);
  return std::nullopt;
}

void SessionHints::hear(bool& heard) {
  const std::lock_guard lock(mutex_);
  if (heard) return;
  heard = true;
  --silent_;
  heard_.notify_all();
}

// A bus that cannot be opened counts as answered.
void SessionHints::open_buses() {
  sd_bus* bus = nullptr;
  if (sd_bus_open_user(&bus) >= 0) {
    session_bus_.reset(bus);
    follow_screen_saver(bus, screen_savers_[0], "/org/freedesktop/ScreenSaver");
    follow_screen_saver(bus, screen_savers_[1], "/org/gnome/ScreenSaver");
  } else {
    for (Source& source : screen_savers_) hear(source.heard);
  }
  bus = nullptr;
  if (sd_bus_open_system(&bus) >= 0) {
    system_bus_.reset(bus);
    logind_.follow(bus);
  } else {
    hear(logind_heard_);
  }
}

// Matches any path, because some screen savers send from /ScreenSaver.
void SessionHints::follow_screen_saver(sd_bus* bus, Source& source, const char* path) {
  sd_bus_slot* slot = nullptr;
  if (sd_bus_match_signal_async(bus, &slot, source.name, nullptr, source.name, "ActiveChanged", on_active_changed,
                                nullptr, &source) >= 0) {
    slots_.emplace_back(slot);
  }
  const std::string owners =
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='" + std::string(source.name) + "'";
  slot = nullptr;
  if (sd_bus_add_match_async(bus, &slot, owners.c_str(), on_owner_changed, nullptr, &source) >= 0) {
    slots_.emplace_back(slot);
  }
  // Ask without starting a screen saver.
  sd_bus_message* raw = nullptr;
  if (sd_bus_message_new_method_call(bus, &raw, source.name, path, source.name, "GetActive") < 0) return;
  const UniqueMessage call(raw);
  sd_bus_message_set_auto_start(raw, 0);
  slot = nullptr;
  if (sd_bus_call_async(bus, &slot, raw, on_active, &source, 0) >= 0) slots_.emplace_back(slot);
}

int SessionHints::on_active_changed(sd_bus_message* message, void* source, sd_bus_error*) {
  int active = 0;
  if (sd_bus_message_read(message, "b", &active) >= 0) static_cast<Source*>(source)->locked = active != 0;
  return 0;
}

int SessionHints::on_active(sd_bus_message* reply, void* source, sd_bus_error* error) {
  if (sd_bus_message_is_method_error(reply, nullptr) <= 0) on_active_changed(reply, source, error);
  auto& asked = *static_cast<Source*>(source);
  asked.hints.hear(asked.heard);
  return 0;
}

int SessionHints::on_owner_changed(sd_bus_message* message, void* source, sd_bus_error*) {
  const char *name = nullptr, *before = nullptr, *now = nullptr;
  if (sd_bus_message_read(message, "sss", &name, &before, &now) >= 0 && std::string_view(now).empty()) {
    static_cast<Source*>(source)->locked = false;
  }
  return 0;
}

void SessionHints::run() {
  pthread_setname_np(pthread_self(), "session");
  open_buses();
  for (;;) {
    for (UniqueBus* bus : {&session_bus_, &system_bus_}) {
      int processed = *bus ? 1 : 0;
      while (processed > 0) processed = sd_bus_process(bus->get(), nullptr);
      if (processed >= 0) continue;
      if (bus == &system_bus_) logind_.leave();
      bus->reset();
    }
    pollfd waiting[] = {{stop_.reader.get(), POLLIN, 0}, {-1, 0, 0}, {-1, 0, 0}};
    int timeout = kLongestPollMs;
    int next = 1;
    for (const UniqueBus* bus : {&session_bus_, &system_bus_}) {
      if (!*bus) continue;
      waiting[next++] = {sd_bus_get_fd(bus->get()), static_cast<short>(sd_bus_get_events(bus->get())), 0};
      timeout = std::min(timeout, poll_ms(bus->get()));
    }
    ::poll(waiting, 3, timeout);
    if (waiting[0].revents != 0) break;
  }
  // Close the buses on the thread that used them.
  slots_.clear();
  logind_.leave();
  session_bus_.reset();
  system_bus_.reset();
}

}  // namespace da::actuator::x11
