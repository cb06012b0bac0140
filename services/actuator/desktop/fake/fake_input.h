// The input of a fake desktop. It takes effect at once, one chunk at a time under the world's mutex. Any thread. The
// world must outlive the object.
#pragma once

#include "services/actuator/desktop/fake/fake_world.h"
#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/roles/input.h"

namespace da::actuator::fake {

class FakeInput final : public Input {
 public:
  explicit FakeInput(FakeWorld& world) : world_(world) {}

  Result<void> move(Point to) override;
  Progress click(const PressPlace& at, Button button, int clicks, Milliseconds, const Checkpoint& checkpoint) override;
  // The fake applications know no double-click time: only counts the calls.
  Result<void> await_own_click(Point, Button, const Checkpoint& checkpoint) override;
  Result<void> button_down(const PressPlace& at, Button button) override;
  Result<void> button_up(Point at, Button button) override;
  Progress scroll(const PressPlace& at, int dx, int dy, const Checkpoint& checkpoint) override;
  Progress drag(std::span<const Point> path, const std::string& surface, Button button,
                const Checkpoint& checkpoint) override;
  Progress tap(std::span<const std::string> keys, const Checkpoint& checkpoint) override;
  Result<void> chord(std::span<const std::string> keys, const Checkpoint& checkpoint) override;
  Result<void> hold(std::span<const std::string> keys) override;
  Progress type(std::u32string_view text, Milliseconds, const Checkpoint& checkpoint) override;
  Reading await_reading(MonoTime) override;  // The fake application reads at once.
  std::uint64_t presses() const override;
  // These use held_mutex_ alone: an application that hangs may hold mutex_.
  std::optional<Point> button_held() override;
  bool release_all() override;
  void shut() override;

 private:
  Result<void> gets_press(const PressPlace& place) const;
  static Result<void> check(std::span<const std::string> keys);
  // Call with mutex_ held, before sending.
  Result<void> may_send() const;
  template <class Act>
  Progress in_units(std::size_t total, std::size_t chunk, const Checkpoint& checkpoint, const Act& act);

  FakeWorld& world_;
  std::uint64_t presses_ = 0;  // Guarded by the world's mutex_.
};

}  // namespace da::actuator::fake
