#include "services/actuator/desktop/x11/session/logind_hint.h"

#include <systemd/sd-login.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

namespace da::actuator::x11 {
namespace {

constexpr const char* kSession = "org.freedesktop.login1.Session";
// logind resolves "auto" to the caller's session, else to the display session of the caller's user.
constexpr const char* kAuto = "auto";

std::vector<std::string> possible_sessions() {
  std::vector<std::string> found;
  if (const char* variable = std::getenv("XDG_SESSION_ID"); variable != nullptr && *variable != '\0')
    found.emplace_back(variable);
  char* raw = nullptr;
  if (::sd_pid_get_session(0, &raw) >= 0) {
    const std::unique_ptr<char, decltype(&std::free)> id(raw, &std::free);
    found.emplace_back(id.get());
  }
  found.emplace_back(kAuto);
  return found;
}

struct SessionProperties {
  std::string display, type;
  std::optional<bool> locked;
};

// Ignores properties with an unexpected type.
int read_properties(sd_bus_message* message, SessionProperties& read) {
  int entered = sd_bus_message_enter_container(message, 'a', "{sv}");
  while (entered >= 0 && (entered = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
    const char *name = nullptr, *contents = nullptr, *text = nullptr;
    char type = 0;
    int flag = 0;
    if (sd_bus_message_read(message, "s", &name) < 0 || sd_bus_message_peek_type(message, &type, &contents) < 0)
      return -1;
    const std::string_view property(name), signature(contents);
    int had = 0;
    if (property == "LockedHint" && signature == "b") {
      if ((had = sd_bus_message_read(message, "v", "b", &flag)) >= 0) read.locked = flag != 0;
    } else if ((property == "Display" || property == "Type") && signature == "s") {
      if ((had = sd_bus_message_read(message, "v", "s", &text)) >= 0)
        (property == "Type" ? read.type : read.display) = text;
    } else {
      had = sd_bus_message_skip(message, "v");
    }
    if (had < 0 || sd_bus_message_exit_container(message) < 0) return -1;
  }
  return entered < 0 ? entered : sd_bus_message_exit_container(message);
}

// ":0" and ":0.0" are the same display.
std::string_view without_screen(std::string_view display) {
  const auto colon = display.rfind(':');
  return colon == std::string_view::npos ? display : display.substr(0, display.find('.', colon));
}

}  // namespace

LogindHint::LogindHint(std::string display, std::function<void()> answered)
    : display_(std::move(display)), answered_(std::move(answered)) {}

void LogindHint::follow(sd_bus* bus) {
  bus_ = bus;
  sd_bus_slot* slot = nullptr;
  const std::string owners =
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='" + std::string(kName) + "'";
  if (sd_bus_add_match_async(bus, &slot, owners.c_str(), on_owner_changed, nullptr, this) >= 0) owner_.reset(slot);
  ask_from_the_first();
}

void LogindHint::leave() {
  owner_.reset();
  call_.reset();
  changes_.reset();
  bus_ = nullptr;
}

void LogindHint::ask_from_the_first() {
  sessions_ = possible_sessions();
  asked_ = 0;
  ask_for_session();
}

// Does not start logind: when logind does not run, nobody locks through it.
void LogindHint::ask_for_session() {
  call_.reset();
  sd_bus_message* raw = nullptr;
  sd_bus_slot* slot = nullptr;
  if (sd_bus_message_new_method_call(bus_, &raw, kName, "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
                                     "GetSession") < 0)
    return answered_();
  const UniqueMessage call(raw);
  sd_bus_message_set_auto_start(raw, 0);
  if (sd_bus_message_append(raw, "s", sessions_[asked_].c_str()) < 0 ||
      sd_bus_call_async(bus_, &slot, raw, on_session, this, 0) < 0)
    return answered_();
  call_.reset(slot);
}

int LogindHint::on_session(sd_bus_message* reply, void* hint, sd_bus_error*) {
  auto& self = *static_cast<LogindHint*>(hint);
  const char* path = nullptr;
  if (sd_bus_message_is_method_error(reply, nullptr) <= 0 && sd_bus_message_read(reply, "o", &path) >= 0) {
    self.follow_session(path);
  } else if (sd_bus_message_is_method_error(reply, "org.freedesktop.login1.NoSuchSession") > 0 &&
             self.asked_ + 1 < self.sessions_.size()) {
    ++self.asked_;
    self.ask_for_session();
  } else {
    // Forget the session only if logind itself answered: an absent logind may come back.
    const sd_bus_error* error = sd_bus_message_get_error(reply);
    if (error != nullptr && std::string_view(error->name).starts_with(kName)) self.forget_session();
    self.answered_();
  }
  return 0;
}

void LogindHint::forget_session() {
  changes_.reset();
  path_.clear();
  locked_ = false;
}

// Subscribes before asking, so that no change is missed in between.
void LogindHint::follow_session(const char* path) {
  sd_bus_slot* slot = nullptr;
  if (path_ != path) {
    path_ = path;
    changes_.reset();
    if (sd_bus_match_signal_async(bus_, &slot, kName, path, kDBusProperties, "PropertiesChanged", on_changed, nullptr,
                                  this) >= 0)
      changes_.reset(slot);
  }
  sd_bus_message* raw = nullptr;
  if (sd_bus_message_new_method_call(bus_, &raw, kName, path_.c_str(), kDBusProperties, "GetAll") < 0)
    return answered_();
  const UniqueMessage call(raw);
  sd_bus_message_set_auto_start(raw, 0);
  slot = nullptr;
  if (sd_bus_message_append(raw, "s", kSession) < 0 ||
      sd_bus_call_async(bus_, &slot, raw, on_all_properties, this, 0) < 0)
    return answered_();
  call_.reset(slot);
}

// A display manager that does not know the display sets "".
bool LogindHint::is_of_another_display(const std::string& display, const std::string& type) const {
  if (sessions_[asked_] != kAuto) return false;
  return display.empty() ? type != "x11" : without_screen(display) != without_screen(display_);
}

int LogindHint::on_all_properties(sd_bus_message* reply, void* hint, sd_bus_error*) {
  auto& self = *static_cast<LogindHint*>(hint);
  SessionProperties read;
  if (sd_bus_message_is_method_error(reply, nullptr) <= 0 && read_properties(reply, read) >= 0) {
    if (self.is_of_another_display(read.display, read.type)) {
      self.forget_session();
    } else if (read.locked) {
      self.locked_ = *read.locked;
    }
  }
  self.answered_();
  return 0;
}

int LogindHint::on_changed(sd_bus_message* message, void* hint, sd_bus_error*) {
  auto& self = *static_cast<LogindHint*>(hint);
  const char* interface = nullptr;
  SessionProperties read;
  if (sd_bus_message_read(message, "s", &interface) < 0 || std::string_view(interface) != kSession) return 0;
  if (read_properties(message, read) < 0) return 0;
  if (read.locked) self.locked_ = *read.locked;
  if (sd_bus_message_enter_container(message, 'a', "s") < 0) return 0;
  const char* invalidated = nullptr;
  while (sd_bus_message_read(message, "s", &invalidated) > 0) {
    if (std::string_view(invalidated) == "LockedHint") self.follow_session(std::string(self.path_).c_str());
  }
  return 0;
}

// Keep the value when logind goes; ask when it comes.
int LogindHint::on_owner_changed(sd_bus_message* message, void* hint, sd_bus_error*) {
  const char *name = nullptr, *before = nullptr, *now = nullptr;
  if (sd_bus_message_read(message, "sss", &name, &before, &now) >= 0 && !std::string_view(now).empty())
    static_cast<LogindHint*>(hint)->ask_from_the_first();
  return 0;
}

}  // namespace da::actuator::x11
