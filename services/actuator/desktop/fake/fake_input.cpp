#include "services/actuator/desktop/fake/fake_input.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "services/actuator/desktop/drag_path.h"

namespace da::actuator::fake {
namespace {

// Characters between two checkpoints.
constexpr std::size_t kChunk = 64;

std::string show(Point at) { return std::to_string(at.x) + "," + std::to_string(at.y); }

}  // namespace

Result<void> FakeInput::move(Point to) {
  const std::lock_guard lock(world_.mutex_);
  RETURN_IF_ERROR(may_send());
  world_.cursor_ = to;
  world_.note("move " + show(to));
  world_.hover(to);
  return ok();
}

Result<void> FakeInput::await_own_click(Point, Button, const Checkpoint& checkpoint) {
  {
    const std::lock_guard lock(world_.mutex_);
    ++world_.own_clicks_;
  }
  return checkpoint();
}

Progress FakeInput::click(const PressPlace& place, Button button, int clicks, Milliseconds,
                          const Checkpoint& checkpoint) {
  const Point at = place.point;
  const Checkpoint reaches = [&]() -> Result<void> {
    RETURN_IF_ERROR(checkpoint());
    const std::lock_guard lock(world_.mutex_);
    return gets_press(place);
  };
  return in_units(static_cast<std::size_t>(clicks), 1, reaches, [&](std::size_t) {
    world_.cursor_ = at;
    world_.note("click " + show(at));
    world_.clicked_part_ = place.part;
    ++presses_;
    world_.press(at, button);
    world_.release(at, button);
  });
}

// Call it with the world's lock held.
Result<void> FakeInput::gets_press(const PressPlace& place) const {
  const FakeWindow* now = world_.window_at(place.point);
  const auto is_there = [now](const std::string& id) { return id.empty() || (now != nullptr && now->id == id); };
  if (is_there(place.surface) && is_there(place.part)) return ok();
  return Error{Code::kAborted, "another window came under the pointer"};
}

Result<void> FakeInput::button_down(const PressPlace& place, Button button) {
  const Point at = place.point;
  const std::lock_guard lock(world_.mutex_);
  RETURN_IF_ERROR(may_send());
  RETURN_IF_ERROR(gets_press(place));
  world_.cursor_ = at;
  world_.note("down " + show(at));
  ++presses_;
  world_.press(at, button);
  return ok();
}

Result<void> FakeInput::button_up(Point at, Button button) {
  const std::lock_guard lock(world_.mutex_);
  RETURN_IF_ERROR(may_send());
  world_.cursor_ = at;
  world_.note("up " + show(at));
  world_.release(at, button);
  return ok();
}

Progress FakeInput::scroll(const PressPlace& place, int dx, int dy, const Checkpoint& checkpoint) {
  const Point at = place.point;
  const auto sign = [](int notches) { return (notches > 0) - (notches < 0); };
  return in_units(static_cast<std::size_t>(std::abs(dx) + std::abs(dy)), 1, checkpoint, [&](std::size_t) {
    world_.note("scroll " + show(at));
    ++presses_;
    world_.scroll(at, sign(dx), sign(dy));
  });
}

Progress FakeInput::drag(std::span<const Point> path, const std::string& surface, Button button,
                         const Checkpoint& checkpoint) {
  if (!path.empty()) {
    const std::lock_guard lock(world_.mutex_);
    if (const auto gets = gets_press({path.front(), surface}); !gets) {
      return {0, static_cast<std::uint32_t>(path.size()), gets.error()};
    }
  }
  const std::vector<DragMove> moves = drag_moves(path);
  auto move = moves.begin();
  Progress progress = in_units(path.size(), 1, checkpoint, [&](std::size_t i) {
    world_.note("drag " + show(path[i]));
    if (i == 0) ++presses_;
    if (i == 0) world_.press(path[i], button);
    for (; i > 0 && move != moves.end() && move->reached <= i; ++move) world_.hover(move->to);
    if (i > 0) world_.hover(path[i]);
    world_.cursor_ = path[i];
  });
  if (!progress.stopped && !path.empty()) {
    if (const auto may = checkpoint(); !may) {
      progress.stopped = may.error();
      --progress.done;
    }
  }
  const std::lock_guard lock(world_.mutex_);
  if (progress.done > 0) world_.release(progress.stopped ? path.front() : path.back(), button);
  return progress;
}

Progress FakeInput::tap(std::span<const std::string> keys, const Checkpoint& checkpoint) {
  if (auto known = check(keys); !known) return {0, static_cast<std::uint32_t>(keys.size()), known.error()};
  return in_units(keys.size(), 1, checkpoint, [&](std::size_t i) {
    world_.note("tap " + keys[i]);
    ++presses_;
    world_.tap(keys[i]);
  });
}

Result<void> FakeInput::chord(std::span<const std::string> keys, const Checkpoint& checkpoint) {
  RETURN_IF_ERROR(check(keys));
  RETURN_IF_ERROR(checkpoint());
  const std::lock_guard lock(world_.mutex_);
  RETURN_IF_ERROR(may_send());
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "chord " : "+") + key;
  world_.note(text);
  presses_ += keys.size();
  world_.chord({keys.begin(), keys.end()});
  return ok();
}

Result<void> FakeInput::hold(std::span<const std::string> keys) {
  RETURN_IF_ERROR(check(keys));
  const std::lock_guard lock(world_.mutex_);
  RETURN_IF_ERROR(may_send());
  for (const std::string& key : keys) world_.note("hold " + key);
  presses_ += keys.size();
  const std::lock_guard held_lock(world_.held_mutex_);
  world_.held_keys_ = !keys.empty();
  return ok();
}

Progress FakeInput::type(std::u32string_view text, Milliseconds, const Checkpoint& checkpoint) {
  Progress progress = in_units(text.size(), kChunk, checkpoint, [&](std::size_t i) {
    std::string character;
    append_utf8(character, text[i]);
    world_.received("type " + character);
    ++presses_;
    world_.insert(text[i]);
  });
  if (progress.stopped) return progress;
  if (const auto read = checkpoint(); !read) progress.stopped = read.error();  // The real one waits for the reader.
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* reader = world_.key_receiver();
  progress.read = !progress.stopped && (reader == nullptr || !reader->reads_unseen);
  return progress;
}

Reading FakeInput::await_reading(MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* reader = world_.front();
  return reader != nullptr && !reader->reads_unseen ? Reading::kRead : Reading::kUnknown;
}

std::uint64_t FakeInput::presses() const {
  const std::lock_guard lock(world_.mutex_);
  return presses_;
}

std::optional<Point> FakeInput::button_held() {
  const std::lock_guard lock(world_.held_mutex_);
  return world_.held_ ? std::optional(world_.held_->at) : std::nullopt;
}

bool FakeInput::release_all() {
  const std::lock_guard lock(world_.held_mutex_);
  const bool keys = std::exchange(world_.held_keys_, false);
  if (!world_.held_) return keys;
  world_.released_.push_back(*std::exchange(world_.held_, std::nullopt));
  return true;
}

void FakeInput::shut() {
  world_.shut_ = true;
  release_all();
}

Result<void> FakeInput::check(std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    if (contract::canonical_key(key) != key) return Error{Code::kInvalidArgument, "no such key: \"" + key + "\""};
  }
  return ok();
}

Result<void> FakeInput::may_send() const {
  if (world_.shut_) return Error{Code::kFailedPrecondition, "input is shut down"};
  if (world_.obstacle_) {
    return Error{Code::kPermissionDenied, "the session takes no input: " + world_.obstacle_->reason};
  }
  return ok();
}

template <class Act>
Progress FakeInput::in_units(std::size_t total, std::size_t chunk, const Checkpoint& checkpoint, const Act& act) {
  Progress progress{0, static_cast<std::uint32_t>(total), std::nullopt};
  for (std::size_t i = 0; i < total;) {
    if (auto go_on = checkpoint(); !go_on) {
      progress.stopped = go_on.error();
      return progress;
    }
    const std::lock_guard lock(world_.mutex_);
    if (auto may = may_send(); !may) {
      progress.stopped = may.error();
      return progress;
    }
    for (const std::size_t end = std::min(total, i + chunk); i < end; ++i) act(i);
    progress.done = static_cast<std::uint32_t>(i);
  }
  return progress;
}

}  // namespace da::actuator::fake
