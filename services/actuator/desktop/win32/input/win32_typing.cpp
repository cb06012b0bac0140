// Types text as Unicode characters, in chunks, and waits until it was read.
#include <algorithm>

#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/input/typing_pace.h"
#include "services/actuator/desktop/win32/input/win32_input.h"

namespace da::actuator::win32 {
namespace {

// An application without progress for this long counts as hung.
constexpr Milliseconds kReceiptTime{10'000};
// Time per character for an application that makes progress. services/policy/grant/time_limit.cpp allows at least it.
constexpr Milliseconds kReadTime{20};

std::string code_point(char32_t character) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text = "U+";
  for (int shift = character > 0xffff ? 20 : 12; shift >= 0; shift -= 4) text += kDigits[(character >> shift) & 0xf];
  return text;
}

Result<void> check_text(std::u32string_view text) {
  for (const char32_t c : text) {
    const bool key = c == U'\n' || c == U'\t';
    const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    const bool invalid = c > 0x10ffff || (c >= 0xd800 && c < 0xe000);
    if ((control && !key) || invalid) {
      return Error{Code::kInvalidArgument, "cannot type " + code_point(c) + ": it is no printable character"};
    }
  }
  return ok();
}

void add_key(InputChunk& chunk, const KeyCode& key) {
  chunk.key(key, Press::kDown);
  chunk.key(key, Press::kUp);
}

void add_characters(InputChunk& chunk, std::u32string_view text, HKL layout) {
  for (const char32_t character : text) {
    if (character == U'\n') {
      add_key(chunk, key_code(VK_RETURN, layout));
    } else if (character == U'\t') {
      add_key(chunk, key_code(VK_TAB, layout));
    } else {
      std::wstring units;
      append_utf16(units, character);
      for (const wchar_t unit : units) chunk.character(unit);
    }
  }
}

}  // namespace

Progress Win32Input::type(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint) {
  Progress progress{0, static_cast<std::uint32_t>(text.size()), std::nullopt};
  const auto whole = [&]() -> Result<void> {
    RETURN_IF_ERROR(check_text(text));
    RETURN_IF_ERROR(checkpoint());
    return type_text(text, interval, checkpoint, progress);
  };
  if (auto done = whole(); !done) progress.stopped = done.error();
  return progress;
}

Result<void> Win32Input::type_text(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint,
                                   Progress& progress) {
  ASSIGN_OR_RETURN(std::optional<HWND> observed, receipt_.observable(checkpoint));
  std::uint32_t next_look = 0;  // Characters. Each look takes a while at a window that does not paint.
  const auto await_receipt = [&](std::uint32_t characters) -> Result<bool> {
    if (observed && focused_window() == *observed) {
      return receipt_.await(*observed, clock_.now() + kReceiptTime + characters * kReadTime, checkpoint);
    }
    observed.reset();
    if (progress.done < next_look && progress.done < progress.total) return false;
    next_look = 2 * progress.done;
    ASSIGN_OR_RETURN(observed, receipt_.observable(checkpoint));
    return observed.has_value();
  };
  TypingPace pace;
  std::uint32_t unread = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (interval.count() > 0 && at > 0) RETURN_IF_ERROR(pause(interval, checkpoint));
    RETURN_IF_ERROR(checkpoint());
    const auto part = text.substr(at, interval.count() > 0 ? 1 : pace.characters());
    const HKL layout = active_layout();
    const MonoTime sent = clock_.now();
    RETURN_IF_ERROR(send_to_focus([&](InputChunk& chunk) { add_characters(chunk, part, layout); }));
    at += part.size();
    progress.done += static_cast<std::uint32_t>(part.size());
    progress.read = false;
    unread += static_cast<std::uint32_t>(part.size());
    if (unread < pace.characters() && at < text.size()) continue;
    ASSIGN_OR_RETURN(progress.read, await_receipt(unread));
    if (progress.read) pace.learn(part.size(), clock_.now() - sent);
    unread = 0;
  }
  return ok();
}

}  // namespace da::actuator::win32
