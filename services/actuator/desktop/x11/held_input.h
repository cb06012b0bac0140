// What this process holds down on the display, in memory that its guardian shares: whoever outlives the other reads it.
//
// X11Input writes, with its lock held: a key before its press is sent, and it is taken out only once the server has
// carried out its release. The guardian reads when the writer is dead. Only atomics that need no lock: the writer may
// die between any two instructions.
#pragma once

#include <xcb/xcb.h>

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>

#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/keyboard_locks.h"

namespace da::actuator::x11 {

using KeySet = std::bitset<256>;
using ButtonSet = std::bitset<32>;

class HeldInput {
 public:
  // Memory of its own, known by a descriptor that a child process may inherit.
  static Result<HeldInput> create();
  // What create() made, in the process that inherited the descriptor.
  static Result<HeldInput> map(os::UniqueFd memory);

  int descriptor() const { return memory_.get(); }

  void add_key(xcb_keycode_t code) { page_->keys[code / 64] |= std::uint64_t{1} << (code % 64); }
  void add_button(std::uint8_t button) { page_->buttons |= std::uint32_t{1} << button; }
  void assign(const KeySet& keys, const ButtonSet& buttons);
  // Where the held button went down: before its press is sent, and until its release is.
  void set_pressed_at(const std::optional<Point>& at);
  // The keyboard's locks while typing has put them aside.
  void put_aside(const std::optional<KeyboardLocks>& locks);

  KeySet keys() const;
  ButtonSet buttons() const { return page_->buttons.load(); }
  std::optional<Point> pressed_at() const;
  std::optional<KeyboardLocks> put_aside() const;

 private:
  struct Page {
    std::array<std::atomic<std::uint64_t>, 4> keys;
    std::atomic<std::uint32_t> buttons;
    std::atomic<std::uint32_t> locks;    // 0, or kPutAside with modifiers and group.
    std::atomic<std::uint64_t> pressed;  // 0, or kPressed with x and y of 16 bits each.
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  struct Unmap {
    void operator()(Page* page) const;
  };

  HeldInput(os::UniqueFd memory, Page* page) : memory_(std::move(memory)), page_(page) {}

  os::UniqueFd memory_;
  std::unique_ptr<Page, Unmap> page_;
};

}  // namespace da::actuator::x11
