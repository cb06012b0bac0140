#include "services/actuator/desktop/win32/input/held_page.h"

#include <algorithm>

#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

constexpr std::uint64_t kUsed = std::uint64_t{1} << 63;
constexpr std::uint64_t kExtended = std::uint64_t{1} << 32;

std::uint64_t packed(const KeyCode& key) {
  return kUsed | (key.extended ? kExtended : 0) | (std::uint64_t{key.scan_code} << 16) | key.virtual_key;
}

KeyCode key_of(std::uint64_t packed) {
  return {static_cast<WORD>(packed), static_cast<WORD>(packed >> 16), (packed & kExtended) != 0};
}

std::uint32_t bit_of(Button button) {
  switch (button) {
    case Button::kLeft: return 1;
    case Button::kRight: return 2;
    case Button::kMiddle: return 4;
  }
  return 1;
}

}  // namespace

Result<HeldPage> HeldPage::create() {
  UniqueKernelHandle memory(
      ::CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, sizeof(Page), nullptr));
  if (!memory) return win32_error("create memory for held keys", ::GetLastError());
  return map(std::move(memory));
}

// New memory is zero.
Result<HeldPage> HeldPage::map(UniqueKernelHandle memory) {
  void* view = ::MapViewOfFile(memory.get(), FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, sizeof(Page));
  if (view == nullptr) return win32_error("map memory for held keys", ::GetLastError());
  return HeldPage(std::move(memory), static_cast<Page*>(view));
}

void HeldPage::assign(const std::vector<KeyCode>& keys, const std::vector<Button>& buttons) {
  for (std::size_t i = 0; i < kMostKeys; ++i) page_->keys[i] = i < keys.size() ? packed(keys[i]) : 0;
  std::uint32_t bits = 0;
  for (const Button button : buttons) bits |= bit_of(button);
  page_->buttons = bits;
}

void HeldPage::set_pressed_at(const std::optional<Point>& at) {
  if (at) {
    page_->pressed_at = (std::uint64_t{static_cast<std::uint32_t>(at->x)} << 32) | static_cast<std::uint32_t>(at->y);
  }
  page_->has_pressed_at = at.has_value() ? 1 : 0;
}

std::vector<KeyCode> HeldPage::keys() const {
  std::vector<KeyCode> found;
  for (const auto& each : page_->keys) {
    if (const std::uint64_t key = each; (key & kUsed) != 0) found.push_back(key_of(key));
  }
  return found;
}

std::vector<Button> HeldPage::buttons() const {
  std::vector<Button> found;
  for (const Button button : {Button::kLeft, Button::kRight, Button::kMiddle}) {
    if ((page_->buttons & bit_of(button)) != 0) found.push_back(button);
  }
  return found;
}

std::optional<Point> HeldPage::pressed_at() const {
  if (page_->has_pressed_at == 0) return std::nullopt;
  const std::uint64_t at = page_->pressed_at;
  return Point{static_cast<int>(static_cast<std::uint32_t>(at >> 32)),
               static_cast<int>(static_cast<std::uint32_t>(at))};
}

}  // namespace da::actuator::win32
