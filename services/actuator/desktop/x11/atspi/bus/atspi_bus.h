// The accessibility bus: a separate D-Bus, whose address org.a11y.Bus on the session bus provides.
//
// Calls are sent in batches and answered in any order, so that each level of a tree costs one round trip. open() asks
// toolkits to enable accessibility. listen() registers for events, without which GTK3 fills no cache, and takes them in
// the thread "a11y-events".
//
// While a connection is registered or has read a cache, GTK3 examines each of its own events for it: a typed character
// costs a quarter more CPU time. So the connection is closed when it was not used for 0.3 s, and by rest().
//
// One thread at a time calls; after listen() it must hold the lock of use(). Errors: kUnavailable (no session or
// accessibility bus, or it is gone), kDeadlineExceeded.
#pragma once

#include <systemd/sd-bus.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::actuator::x11 {

struct CloseBus {
  void operator()(sd_bus* bus) const { sd_bus_close_unref(bus); }
};
struct UnrefMessage {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
struct UnrefSlot {
  void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
};
using UniqueBus = std::unique_ptr<sd_bus, CloseBus>;
using UniqueMessage = std::unique_ptr<sd_bus_message, UnrefMessage>;
using UniqueSlot = std::unique_ptr<sd_bus_slot, UnrefSlot>;

inline constexpr const char* kDBusProperties = "org.freedesktop.DBus.Properties";
// AT-SPI's interfaces.
inline constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
inline constexpr const char* kAction = "org.a11y.atspi.Action";
inline constexpr const char* kApplication = "org.a11y.atspi.Application";
inline constexpr const char* kComponent = "org.a11y.atspi.Component";
inline constexpr const char* kTable = "org.a11y.atspi.Table";
inline constexpr const char* kText = "org.a11y.atspi.Text";
// AT-SPI's coordinate type: relative to the screen.
inline constexpr std::uint32_t kScreenCoordinates = 0;
// An application that sends nothing for this long counts as hung.
inline constexpr Milliseconds kSilenceLimit{700};

// One accessible object: the unique bus name of its application, and its object path.
struct AccessibleRef {
  std::string bus;
  std::string path;
  bool null() const { return path.empty() || path == "/org/a11y/atspi/null"; }
  friend bool operator==(const AccessibleRef&, const AccessibleRef&) = default;
};

struct Call {
  const char* interface;
  const char* member;
  std::function<void(sd_bus_message*)> arguments = nullptr;
};

class AtspiBus {
 public:
  static Result<std::unique_ptr<AtspiBus>> open(const Clock& clock);
  ~AtspiBus();
  AtspiBus(const AtspiBus&) = delete;
  AtspiBus& operator=(const AtspiBus&) = delete;

  // Registers for events, unless it is registered, and waits until the applications know it.
  Result<void> listen();
  std::unique_lock<std::mutex> use() { return std::unique_lock(using_); }
  // Null while it rests.
  sd_bus* get() const { return bus_.get(); }
  const Clock& clock() const { return clock_; }
  // Connects again if it rests. kUnavailable when the connection is lost, or the bus is another one than before: names
  // of applications then mean others.
  Result<void> stay_open();
  // Closes the connection, until the next stay_open().
  void rest();
  Result<UniqueMessage> call(const AccessibleRef& object, const Call& call, MonoTime deadline);
  // The number of the last event that an application sent before its latest answer; numbers only grow. Too high when
  // very many applications have sent events, and after a rest.
  std::uint64_t last_event_of(const std::string& bus_name) const;
  // The objects that an application last reported as focused, or as the active descendant of a focused object, newest
  // first. Some may have lost the focus or be gone.
  std::vector<AccessibleRef> reported_focus_of(const std::string& bus_name) const;

 private:
  AtspiBus(std::string address, const Clock& clock) : address_(std::move(address)), clock_(clock) {}
  friend class CallBatch;
  static int on_event(sd_bus_message* event, void* bus, sd_bus_error* error);
  Result<void> start();
  Result<void> start_thread();
  void wake_thread();
  void take_events();
  void used() { last_used_ = clock_.now(); }

  const std::string address_;
  const Clock& clock_;
  std::mutex using_;
  UniqueBus bus_;
  sd_id128_t bus_id_{};
  bool listening_ = false;
  bool ending_ = false;
  MonoTime last_used_;
  os::UniqueFd wake_;  // An eventfd: readable when the thread must look again at what it waits for.
  struct Reported {
    std::uint64_t last_event = 0;
    std::deque<std::string> focus;  // Paths.
  };
  std::uint64_t events_ = 0;
  std::uint64_t forgotten_ = 0;               // The last event when reported_ was cleared.
  std::map<std::string, Reported> reported_;  // Keyed by bus name.
  std::thread thread_;
};

// Calls that wait for their answers together. Its destructor drops calls without an answer.
class CallBatch {
 public:
  // Receives the reply, or null when the object answered with an error.
  using Answer = std::function<void(sd_bus_message*)>;

  explicit CallBatch(AtspiBus& bus) : bus_(bus) {}
  CallBatch(const CallBatch&) = delete;
  CallBatch& operator=(const CallBatch&) = delete;

  void add(const AccessibleRef& object, const Call& call, Answer answer);
  // Waits for all answers. kDeadlineExceeded at the deadline, or when none came for `silence_limit`.
  Result<void> run(MonoTime deadline, Milliseconds silence_limit);

 private:
  struct Pending {
    CallBatch* batch;
    Answer answer;
    UniqueSlot slot;
  };
  static int on_reply(sd_bus_message* reply, void* pending, sd_bus_error* error);

  AtspiBus& bus_;
  std::deque<Pending> pending_;
  std::size_t waiting_ = 0;
  bool heard_ = false;
};

UniqueMessage new_call(sd_bus* bus, const AccessibleRef& object, const Call& call);

}  // namespace da::actuator::x11
