// Text that must not stay in memory: one buffer of fixed capacity, wiped on destruction. Not copyable. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace da::actuator {

// Overwrites memory; the compiler cannot optimize it away.
void wipe(void* memory, std::size_t bytes);

template <class Character>
class WipedText {
 public:
  explicit WipedText(std::size_t capacity) : buffer_(std::make_unique<Character[]>(capacity)), capacity_(capacity) {}
  explicit WipedText(std::basic_string_view<Character> text) : WipedText(text.size()) { append(text); }
  WipedText(WipedText&& other) noexcept = default;
  WipedText& operator=(WipedText&&) = delete;
  ~WipedText() {
    if (buffer_) wipe(buffer_.get(), capacity_ * sizeof(Character));
  }

  // Appends at most what fits.
  void append(std::basic_string_view<Character> text) { size_ += text.copy(buffer_.get() + size_, capacity_ - size_); }
  std::basic_string_view<Character> view() const { return {buffer_.get(), size_}; }

 private:
  std::unique_ptr<Character[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

}  // namespace da::actuator
