// The accessibility bus: a D-Bus of its own, whose address org.a11y.Bus on the session bus tells.
//
// Calls go out many at a time and are answered in any order, so that a level of a tree costs one round trip.
// Opening it asks toolkits to switch accessibility on. One that listens registers for events, without which GTK3 fills
// no cache, and takes them in a thread of its own, also when nobody asks anything. One thread at a time calls, and
// holds what use() gives meanwhile where it listens. Errors: kUnavailable (no session or accessibility bus, or it is
// gone), kDeadlineExceeded.
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

// One accessible object: its application's unique bus name, and its path there.
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

  // From here on events are taken. Once.
  Result<void> listen();
  std::unique_lock<std::mutex> use() { return std::unique_lock(using_); }
  sd_bus* get() const { return bus_.get(); }
  const Clock& clock() const { return clock_; }
  bool open_still() const { return sd_bus_is_open(bus_.get()) > 0; }
  Result<UniqueMessage> call(const AccessibleRef& object, const Call& call, MonoTime deadline);
  // The number of the last event that an application sent before what it answered last; numbers only grow. A number
  // that is too high where there were events of very many applications.
  std::uint64_t last_event_of(const std::string& bus_name) const;
  // The objects that an application said last to have the keyboard focus, or to be the active ones of those that have
  // it; some of them may have lost it since, or be gone. The last one first.
  std::vector<AccessibleRef> told_focus_of(const std::string& bus_name) const;

 private:
  AtspiBus(UniqueBus bus, const Clock& clock) : bus_(std::move(bus)), clock_(clock) {}
  static int on_event(sd_bus_message* event, void* bus, sd_bus_error* error);
  void take_events();

  std::mutex using_;
  UniqueBus bus_;
  os::UniqueFd stop_;  // An eventfd: readable when the thread shall end.
  const Clock& clock_;
  struct Told {
    std::uint64_t last_event = 0;
    std::deque<std::string> focus;  // Paths.
  };
  std::uint64_t events_ = 0;
  std::uint64_t forgotten_ = 0;       // The last event when told_ was emptied.
  std::map<std::string, Told> told_;  // By bus name.
  std::thread thread_;
};

// Calls that are answered together. What has not been answered when it goes is forgotten.
class CallBatch {
 public:
  // Given the reply, or null where the object answered with an error.
  using Answer = std::function<void(sd_bus_message*)>;

  explicit CallBatch(AtspiBus& bus) : bus_(bus) {}
  CallBatch(const CallBatch&) = delete;
  CallBatch& operator=(const CallBatch&) = delete;

  void add(const AccessibleRef& object, const Call& call, Answer answer);
  // Until all are answered. kDeadlineExceeded at the deadline, or when nothing came for `patience`: it hangs.
  Result<void> run(MonoTime deadline, Milliseconds patience);

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
