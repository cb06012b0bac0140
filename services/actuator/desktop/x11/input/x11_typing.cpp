// Types text: borrows keycodes for missing characters, sends the text in chunks, and waits until it was read.
#include <algorithm>

#include "services/actuator/desktop/x11/input/x11_input.h"

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kKeysInChunk = 64;  // About 2 ms of the server's time, when no other program can draw.
// An application without progress for this long counts as hung.
constexpr Milliseconds kReceiptTime{10'000};
// Time per character for an application that makes progress. services/policy/grant/time_limit.cpp allows at least it.
constexpr Milliseconds kReadTime{20};
// Keys between two pings. Many, because each ping looks up the focus again.
constexpr std::uint32_t kKeysBetweenMarks = 256;

std::string code_point(char32_t character) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text = "U+";
  for (int shift = character > 0xffff ? 20 : 12; shift >= 0; shift -= 4) text += kDigits[(character >> shift) & 0xf];
  return text;
}

Result<std::vector<Keysym>> keysyms_of(std::u32string_view text) {
  std::vector<Keysym> keys;
  keys.reserve(text.size());
  for (const char32_t character : text) {
    const auto keysym = keysym_of_character(character);
    if (!keysym) return Error{Code::kInvalidArgument, "cannot type " + code_point(character) + ": no keysym for it"};
    keys.push_back(*keysym);
  }
  return keys;
}

}  // namespace

Progress X11Input::type(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint) {
  Progress progress{0, static_cast<std::uint32_t>(text.size()), std::nullopt};
  const auto whole = [&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto keys, keysyms_of(text));
    RETURN_IF_ERROR(checkpoint());
    const Patience patience = patience_for(progress.total, interval);
    return with_plain_keyboard(PlainFor::kKeys, [&]() -> Result<void> {
      const auto rest = [&] { return type_text(keys, interval, patience, checkpoint, progress); };
      RETURN_IF_ERROR(with_current_map(rest));
      ASSIGN_OR_RETURN(const bool can_prove, receipt_.can_prove());
      if (can_prove) RETURN_IF_ERROR(confirm_read(patience, checkpoint));
      progress.read = can_prove;
      return ok();
    });
  };
  if (auto done = whole(); !done) progress.stopped = done.error();
  return progress;
}

// Goes on after the first progress.done keys.
Result<void> X11Input::type_text(std::span<const Keysym> keys, Milliseconds interval, const Patience& patience,
                                 const Checkpoint& checkpoint, Progress& progress) {
  while (progress.done < keys.size()) {
    const auto rest = keys.subspan(progress.done);
    const auto part = rest.first(map_->fitting(rest));
    if (part.empty()) return Error{Code::kUnimplemented, "this keyboard map has no unused keycode to type with"};
    if (map_->must_confirm_first(part)) RETURN_IF_ERROR(confirm_read(patience, checkpoint));
    RETURN_IF_ERROR(map_->lend(part));
    RETURN_IF_ERROR(type_keys(part, interval, checkpoint, progress));
  }
  return ok();
}

Patience X11Input::patience_for(std::uint32_t keys, Milliseconds interval) const {
  return {kReceiptTime, connection_->clock().now() + kReceiptTime + keys * (interval + kReadTime)};
}

Result<void> X11Input::confirm_read(const Patience& patience, const Checkpoint& checkpoint) {
  RETURN_IF_ERROR(receipt_.await(patience, checkpoint));
  map_->confirm_read();
  return ok();
}

Result<void> X11Input::type_keys(std::span<const Keysym> keys, Milliseconds interval, const Checkpoint& checkpoint,
                                 Progress& progress) {
  const std::size_t chunk = interval.count() > 0 ? 1 : kKeysInChunk;
  for (std::size_t at = 0; at < keys.size(); at += chunk) {
    if (interval.count() > 0 && progress.done > 0) RETURN_IF_ERROR(pause(interval, checkpoint));
    const auto part = keys.subspan(at, std::min(chunk, keys.size() - at));
    RETURN_IF_ERROR(type_chunk(part, checkpoint));
    const std::uint32_t marks = progress.done / kKeysBetweenMarks;
    progress.done += static_cast<std::uint32_t>(part.size());
    if (progress.done / kKeysBetweenMarks > marks) RETURN_IF_ERROR(receipt_.mark());
  }
  return ok();
}

Result<void> X11Input::type_chunk(std::span<const Keysym> keys, const Checkpoint& checkpoint) {
  std::vector<KeyPress> presses;
  for (const Keysym keysym : keys) {
    const auto press = map_->find(keysym);
    if (!press) return Error{Code::kInternal, "a character to type has no keycode"};
    map_->mark_pressed(keysym);
    presses.push_back(*press);
  }
  return send_keys(
      [&] {
        bool shifted = false;
        for (const KeyPress& press : presses) {
          if (press.shifted != shifted) send_key(shift_.code, press.shifted);
          shifted = press.shifted;
          send_key(press.code, true);
          send_key(press.code, false);
        }
        if (shifted) send_key(shift_.code, false);
        return ok();
      },
      checkpoint);
}

}  // namespace da::actuator::x11
