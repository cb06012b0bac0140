// The keys and buttons that this process holds down, in memory shared with the guardian.
//
// HeldKeys writes: a press before it is sent, a release after it was sent. The guardian reads after the actuator has
// ended, which may happen between any two instructions: so only lock-free atomics.
#pragma once

#include <windows.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/roles/input.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/input/keyboard/key_codes.h"

namespace da::actuator::win32 {

class HeldPage {
 public:
  // More keys than anyone holds; those beyond are not recorded.
  static constexpr std::size_t kMostKeys = 16;

  // Creates the memory; a child process may inherit handle().
  static Result<HeldPage> create();
  // Maps the memory in a process that inherited the handle.
  static Result<HeldPage> map(UniqueKernelHandle memory);

  HANDLE handle() const { return memory_.get(); }

  void assign(const std::vector<KeyCode>& keys, const std::vector<Button>& buttons);
  void set_pressed_at(const std::optional<Point>& at);
  // The guardian must mark its releases as ours: a person's watch may still run.
  void set_mark(std::uintptr_t mark) { page_->mark = mark; }

  std::vector<KeyCode> keys() const;
  std::vector<Button> buttons() const;
  std::optional<Point> pressed_at() const;
  std::uintptr_t mark() const { return static_cast<std::uintptr_t>(page_->mark.load()); }

 private:
  struct Page {
    std::array<std::atomic<std::uint64_t>, kMostKeys> keys;  // 0, or kUsed with the parts of a KeyCode.
    std::atomic<std::uint32_t> buttons;                      // Bit 0: left, 1: right, 2: middle.
    std::atomic<std::uint64_t> has_pressed_at;
    std::atomic<std::uint64_t> pressed_at;  // x and y, 32 bits each.
    std::atomic<std::uint64_t> mark;
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  struct Unmap {
    void operator()(Page* page) const { ::UnmapViewOfFile(page); }
  };

  HeldPage(UniqueKernelHandle memory, Page* page) : memory_(std::move(memory)), page_(page) {}

  UniqueKernelHandle memory_;
  std::unique_ptr<Page, Unmap> page_;
};

}  // namespace da::actuator::win32
