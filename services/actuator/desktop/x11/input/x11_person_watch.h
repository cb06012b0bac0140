// Detects a person's keys and mouse by raw XInput2 events, which arrive regardless of grabs, focus and stacking.
//
// Input of programs, ours included, comes from the server's XTEST devices, which have the property "XTEST Device". All
// other devices are a person's; their held keys are tracked for the kill switch. Owns a connection and the thread
// "person"; the thread and look() take events in turn. Errors: kUnimplemented (no XInput 2.1), kUnavailable.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "lib/os/process/pipe.h"
#include "services/actuator/desktop/roles/person_watch.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class X11PersonWatch final : public PersonWatch {
 public:
  static Result<std::unique_ptr<X11PersonWatch>> open(const std::string& display, const Clock& clock);
  ~X11PersonWatch() override;

  void watch(Notice notice) override;
  void look() override;
  std::optional<std::string> blindness() override;
  // Whether input of a person has not been reported completely yet. Any thread; never waits for the server.
  bool has_news();
  // How often each key has been released, by a person or a program, ours included. One round trip; never call it with
  // the server grabbed.
  using KeyCounts = std::array<std::uint32_t, 256>;
  KeyCounts releases();
  using Device = std::uint16_t;
  // The XTEST devices, through which programs send input.
  std::set<Device> devices_of_programs();

 private:
  X11PersonWatch(std::unique_ptr<Connection> connection, std::uint8_t extension, os::Pipe stop);
  Result<void> select();
  // These two wait for the server. Never call them with taking_ held: Input grabs the server and then needs taking_.
  Result<void> find_our_devices();
  Result<void> find_chord_keys();
  bool find_what_changed();
  void run();
  void take_events();
  void handle(const xcb_generic_event_t& event);
  void key(Device source, std::uint32_t code, bool down);
  bool chord_is_held(std::uint32_t last) const;

  std::unique_ptr<Connection> connection_;
  const std::uint8_t extension_;  // XInput's major opcode.
  os::Pipe stop_;
  std::mutex taking_;  // Guards taking events, and these:
  bool keys_changed_ = false;
  bool devices_changed_ = false;
  std::set<Device> ours_;
  std::set<std::uint32_t> control_, shift_, escape_;  // Keycodes.
  std::set<std::pair<Device, std::uint32_t>> held_;   // Keys that a person holds.
  KeyCounts releases_{};
  std::deque<PersonInput> news_;  // The first may be in delivery.
  std::mutex telling_;            // Taken before taking_.
  Notice notice_;
  std::atomic<bool> watched_ = false;
  std::thread thread_;
};

}  // namespace da::actuator::x11
