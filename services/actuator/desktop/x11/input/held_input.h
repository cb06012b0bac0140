// The keys and buttons that this process holds down, and what it has changed of the keyboard for the step under way, in
// memory shared with the guardian.
//
// X11Input writes with its lock held: it adds a key before sending its press, and removes it only after the server has
// processed its release. The guardian reads after the actuator has died. Uses only lock-free atomics, as the writer may
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
#include "services/actuator/desktop/x11/input/keyboard/keyboard_state.h"

namespace da::actuator::x11 {

using ButtonSet = std::bitset<32>;

class HeldInput {
 public:
  // Creates the memory; a child process may inherit descriptor().
  static Result<HeldInput> create();
  // Maps the memory in a process that inherited the descriptor.
  static Result<HeldInput> map(os::UniqueFd memory);

  int descriptor() const { return memory_.get(); }

  void add_key(xcb_keycode_t code) { page_->keys[code / 64] |= std::uint64_t{1} << (code % 64); }
  void add_button(std::uint8_t button) { page_->buttons |= std::uint32_t{1} << button; }
  void assign(const KeySet& keys, const ButtonSet& buttons);
  // Where the held button was pressed. Set before its press is sent, until its release is sent.
  void set_pressed_at(const std::optional<Point>& at);
  // The keyboard's state to restore, and the keys of other programs to press again, while a step has cleared them. Set
  // before they are cleared. `state.controls` are the controls to turn on.
  void set_cleared(const std::optional<KeyboardState>& state);
  void set_lifted(const KeySet& keys);

  KeySet keys() const;
  ButtonSet buttons() const { return page_->buttons.load(); }
  std::optional<Point> pressed_at() const;
  std::optional<KeyboardState> cleared() const;
  KeySet lifted() const;

 private:
  using KeyWords = std::array<std::atomic<std::uint64_t>, 4>;
  struct Page {
    KeyWords keys;
    KeyWords lifted;
    std::atomic<std::uint32_t> buttons;
    std::atomic<std::uint64_t> cleared;  // 0, or kCleared with a KeyboardState.
    std::atomic<std::uint64_t> pressed;  // 0, or kPressed with x and y, 16 bits each.
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  struct Unmap {
    void operator()(Page* page) const;
  };

  static void write(KeyWords& words, const KeySet& keys);
  static KeySet read(const KeyWords& words);
  HeldInput(os::UniqueFd memory, Page* page) : memory_(std::move(memory)), page_(page) {}

  os::UniqueFd memory_;
  std::unique_ptr<Page, Unmap> page_;
};

}  // namespace da::actuator::x11
