#include "services/actuator/desktop/x11/input/held_input.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace da::actuator::x11 {
namespace {

constexpr std::uint32_t kLocksCleared = 1U << 31;
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

void HeldInput::assign(const KeySet& keys, const ButtonSet& buttons) {
  constexpr KeySet kWord(~std::uint64_t{0});
  for (std::size_t word = 0; word < page_->keys.size(); ++word) {
    page_->keys[word] = ((keys >> (word * 64)) & kWord).to_ullong();
  }
  page_->buttons = static_cast<std::uint32_t>(buttons.to_ulong());
}

void HeldInput::set_cleared_locks(const std::optional<KeyboardLocks>& locks) {
  page_->locks = locks ? kLocksCleared | std::uint32_t{locks->modifiers} << 8 | locks->group : 0;
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

KeySet HeldInput::keys() const {
  KeySet all;
  for (std::size_t word = page_->keys.size(); word-- > 0;) all = (all << 64) | KeySet(page_->keys[word].load());
  return all;
}

std::optional<KeyboardLocks> HeldInput::cleared_locks() const {
  const std::uint32_t locks = page_->locks;
  if ((locks & kLocksCleared) == 0) return std::nullopt;
  return KeyboardLocks{static_cast<std::uint8_t>(locks >> 8), static_cast<std::uint8_t>(locks)};
}

}  // namespace da::actuator::x11
