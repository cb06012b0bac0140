#include "services/actuator/desktop/x11/input/held_input.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace da::actuator::x11 {
namespace {

constexpr std::uint64_t kCleared = std::uint64_t{1} << 63;
constexpr std::uint64_t kPressed = std::uint64_t{1} << 32;

}  // namespace

void HeldInput::Unmap::operator()(Page* page) const { ::munmap(page, sizeof(Page)); }

Result<HeldInput> HeldInput::create() {
  os::UniqueFd memory(::memfd_create("held-input", MFD_CLOEXEC));
  if (!memory) return posix_error("create memory to share with the guardian", errno);
  if (::ftruncate(memory.get(), sizeof(Page)) != 0) return posix_error("size the guardian's memory", errno);
  return map(std::move(memory));
}

// New memory is zeroed, which is a Page without held keys or buttons.
Result<HeldInput> HeldInput::map(os::UniqueFd memory) {
  void* mapped = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
  if (mapped == MAP_FAILED) return posix_error("map the guardian's memory", errno);
  return HeldInput(std::move(memory), static_cast<Page*>(mapped));
}

void HeldInput::write(KeyWords& words, const KeySet& keys) {
  constexpr KeySet kWord(~std::uint64_t{0});
  for (std::size_t word = 0; word < words.size(); ++word) words[word] = ((keys >> (word * 64)) & kWord).to_ullong();
}

KeySet HeldInput::read(const KeyWords& words) {
  KeySet all;
  for (std::size_t word = words.size(); word-- > 0;) all = (all << 64) | KeySet(words[word].load());
  return all;
}

void HeldInput::assign(const KeySet& keys, const ButtonSet& buttons) {
  write(page_->keys, keys);
  page_->buttons = static_cast<std::uint32_t>(buttons.to_ulong());
}

void HeldInput::set_lifted(const KeySet& keys) { write(page_->lifted, keys); }

void HeldInput::set_cleared(const std::optional<KeyboardState>& state) {
  if (!state) {
    page_->cleared = 0;
    return;
  }
  page_->cleared = kCleared | std::uint64_t{state->controls} << 32 | std::uint64_t{state->latched_group} << 24 |
                   std::uint64_t{state->group} << 16 | std::uint64_t{state->latched} << 8 | state->locked;
}

void HeldInput::set_pressed_at(const std::optional<Point>& at) {
  const auto half = [](int place) { return std::uint64_t{static_cast<std::uint16_t>(place)}; };
  page_->pressed = at ? kPressed | half(at->x) << 16 | half(at->y) : 0;
}

std::optional<Point> HeldInput::pressed_at() const {
  const std::uint64_t pressed = page_->pressed;
  if ((pressed & kPressed) == 0) return std::nullopt;
  return Point{static_cast<std::int16_t>(pressed >> 16), static_cast<std::int16_t>(pressed)};
}

KeySet HeldInput::keys() const { return read(page_->keys); }

KeySet HeldInput::lifted() const { return read(page_->lifted); }

std::optional<KeyboardState> HeldInput::cleared() const {
  const std::uint64_t all = page_->cleared;
  if ((all & kCleared) == 0) return std::nullopt;
  const auto byte = [all](int shift) { return static_cast<std::uint8_t>(all >> shift); };
  return KeyboardState{.locked = byte(0),
                       .latched = byte(8),
                       .group = byte(16),
                       .latched_group = byte(24),
                       .controls = static_cast<std::uint16_t>(all >> 32)};
}

}  // namespace da::actuator::x11
