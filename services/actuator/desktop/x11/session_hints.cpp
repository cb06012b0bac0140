#include "services/actuator/desktop/x11/session_hints.h"

#include <poll.h>
#include <pthread.h>
#include <systemd/sd-login.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace da::actuator::x11 {
namespace {

constexpr int kLongestTurnMs = 60'000;

// Where logind keeps this process's session; empty where it has none, as in a container.
std::string session_path(sd_bus* bus) {
  char* raw = nullptr;
  if (::sd_pid_get_session(0, &raw) < 0) {
    const char* variable = std::getenv("XDG_SESSION_ID");
    if (variable == nullptr) return {};
    raw = ::strdup(variable);
  }
  const std::unique_ptr<char, decltype(&std::free)> id(raw, &std::free);
  sd_bus_message* reply = nullptr;
  const int called = sd_bus_call_method(bus, "org.freedesktop.login1", "/org/freedesktop/login1",
                                        "org.freedesktop.login1.Manager", "GetSession", nullptr, &reply, "s", id.get());
  const UniqueMessage owned(reply);
  const char* path = nullptr;
  if (called < 0 || sd_bus_message_read(reply, "o", &path) < 0) return {};
  return path;
}

int turn_ms(sd_bus* bus) {
  std::uint64_t until = 0;
  if (bus == nullptr || sd_bus_get_timeout(bus, &until) < 0 || until == UINT64_MAX) return kLongestTurnMs;
  // sd-bus names a point of CLOCK_MONOTONIC, as this clock does.
  const auto now = std::chrono::duration_cast<std::chrono::microseconds>(system_clock().now().time_since_epoch());
  const std::int64_t left = (static_cast<std::int64_t>(until) - now.count() + 999) / 1000;
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, kLongestTurnMs));
}

}  // namespace

Result<std::unique_ptr<SessionHints>> SessionHints::open() {
  ASSIGN_OR_RETURN(os::Pipe stop, os::make_pipe());
  std::unique_ptr<SessionHints> hints(new SessionHints(std::move(stop)));
  hints->thread_ = std::thread([raw = hints.get()] { raw->run(); });
  return hints;
}

SessionHints::~SessionHints() {
  stop_.writer.reset();
  thread_.join();
}

std::optional<std::string> SessionHints::locked() const {
  for (const Source& source : sources_) {
    if (source.locked) return std::string(source.name) + " says so";
  }
  return std::nullopt;
}

// On the thread: a bus that does not answer must not keep the desktop from opening.
void SessionHints::open_buses() {
  sd_bus* bus = nullptr;
  if (sd_bus_open_user(&bus) >= 0) {
    session_bus_.reset(bus);
    follow_screen_saver(bus, sources_[0], "/org/freedesktop/ScreenSaver");
    follow_screen_saver(bus, sources_[1], "/org/gnome/ScreenSaver");
  }
  bus = nullptr;
  if (sd_bus_open_system(&bus) >= 0) {
    system_bus_.reset(bus);
    follow_logind(bus);
  }
}

// The path is left open: there are screen savers that speak from /ScreenSaver.
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
  // Asked without starting one.
  sd_bus_message* raw = nullptr;
  if (sd_bus_message_new_method_call(bus, &raw, source.name, path, source.name, "GetActive") < 0) return;
  const UniqueMessage call(raw);
  sd_bus_message_set_auto_start(raw, 0);
  slot = nullptr;
  if (sd_bus_call_async(bus, &slot, raw, on_active, &source, 0) >= 0) slots_.emplace_back(slot);
}

void SessionHints::follow_logind(sd_bus* bus) {
  const std::string path = session_path(bus);
  if (path.empty()) return;
  Source& source = sources_[kLogind];
  sd_bus_slot* slot = nullptr;
  if (sd_bus_match_signal_async(bus, &slot, source.name, path.c_str(), "org.freedesktop.DBus.Properties",
                                "PropertiesChanged", on_properties, nullptr, &source) >= 0) {
    slots_.emplace_back(slot);
  }
  int locked = 0;
  if (sd_bus_get_property_trivial(bus, source.name, path.c_str(), "org.freedesktop.login1.Session", "LockedHint",
                                  nullptr, 'b', &locked) >= 0) {
    source.locked = locked != 0;
  }
}

int SessionHints::on_active_changed(sd_bus_message* message, void* source, sd_bus_error*) {
  int active = 0;
  if (sd_bus_message_read(message, "b", &active) >= 0) static_cast<Source*>(source)->locked = active != 0;
  return 0;
}

int SessionHints::on_active(sd_bus_message* reply, void* source, sd_bus_error* error) {
  return sd_bus_message_is_method_error(reply, nullptr) > 0 ? 0 : on_active_changed(reply, source, error);
}

int SessionHints::on_owner_changed(sd_bus_message* message, void* source, sd_bus_error*) {
  const char *name = nullptr, *before = nullptr, *now = nullptr;
  if (sd_bus_message_read(message, "sss", &name, &before, &now) >= 0 && std::string_view(now).empty()) {
    static_cast<Source*>(source)->locked = false;
  }
  return 0;
}

int SessionHints::on_properties(sd_bus_message* message, void* source, sd_bus_error*) {
  const char* interface = nullptr;
  if (sd_bus_message_read(message, "s", &interface) < 0) return 0;
  if (sd_bus_message_enter_container(message, 'a', "{sv}") < 0) return 0;
  while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
    const char* property = nullptr;
    if (sd_bus_message_read(message, "s", &property) < 0) return 0;
    int locked = 0;
    if (std::string_view(property) != "LockedHint") {
      if (sd_bus_message_skip(message, "v") < 0) return 0;
    } else if (sd_bus_message_read(message, "v", "b", &locked) >= 0) {
      static_cast<Source*>(source)->locked = locked != 0;
    }
    if (sd_bus_message_exit_container(message) < 0) return 0;
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
      if (processed < 0) bus->reset();
    }
    pollfd waiting[] = {{stop_.reader.get(), POLLIN, 0}, {-1, 0, 0}, {-1, 0, 0}};
    int timeout = kLongestTurnMs;
    int next = 1;
    for (const UniqueBus* bus : {&session_bus_, &system_bus_}) {
      if (!*bus) continue;
      waiting[next++] = {sd_bus_get_fd(bus->get()), static_cast<short>(sd_bus_get_events(bus->get())), 0};
      timeout = std::min(timeout, turn_ms(bus->get()));
    }
    ::poll(waiting, 3, timeout);
    if (waiting[0].revents != 0) break;
  }
  // A bus belongs to the thread that uses it.
  slots_.clear();
  session_bus_.reset();
  system_bus_.reset();
}

}  // namespace da::actuator::x11
