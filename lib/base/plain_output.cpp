#include "lib/base/plain_output.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <streambuf>

namespace da {
namespace {

constexpr auto kColours =
    std::to_array<std::string_view>({"\x1b[0m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[97;40m"});
constexpr std::string_view kClearLine = "\r\x1b[K";
// The first byte of U+0080 to U+00BF in UTF-8.
constexpr char kLatin1 = '\xc2';

bool is_control(unsigned char byte) { return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f; }

bool is_c1(unsigned char second) { return second >= 0x80 && second < 0xa0; }

std::string escaped(unsigned char code) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "\\u%04x", code);
  return text.data();
}

class PlainBuffer final : public std::streambuf {
 public:
  explicit PlainBuffer(std::ostream& stream) : stream_(stream), below_(stream.rdbuf(this)) {}
  ~PlainBuffer() override {
    pass(pending_);
    stream_.rdbuf(below_);
  }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize length) override {
    const std::string_view given(text, static_cast<std::size_t>(length));
    const std::lock_guard hold(mutex_);  // The standard streams allow several writers.
    return pass(without_controls(given, pending_, Sequences::kOwn)) ? length : 0;
  }
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char byte = traits_type::to_char_type(character);
    return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
  }
  int sync() override { return below_->pubsync(); }

 private:
  bool pass(std::string_view text) {
    const auto length = static_cast<std::streamsize>(text.size());
    return below_->sputn(text.data(), length) == length;
  }

  std::ostream& stream_;
  std::streambuf* below_;
  std::mutex mutex_;
  std::string pending_;
};

}  // namespace

std::string without_controls(std::string_view text, std::string& pending, Sequences allowed) {
  if (allowed == Sequences::kOwn && pending.empty() && text == kClearLine) return std::string(text);
  std::string plain;
  plain.reserve(text.size());
  if (!pending.empty() && !text.empty()) {
    const bool c1 = is_c1(static_cast<unsigned char>(text.front()));
    plain += c1 ? escaped(static_cast<unsigned char>(text.front())) : pending;
    if (c1) text.remove_prefix(1);
    pending.clear();
  }
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t taken = 1;
    if (is_control(byte)) {
      const auto colour = std::ranges::find_if(kColours, [&](std::string_view each) { return text.starts_with(each); });
      const bool stays = allowed == Sequences::kOwn && colour != kColours.end();
      if (stays) taken = colour->size();
      plain += stays ? std::string(*colour) : escaped(byte);
    } else if (text.front() == kLatin1 && text.size() == 1) {
      pending = text;
    } else if (text.front() == kLatin1 && is_c1(static_cast<unsigned char>(text[1]))) {
      taken = 2;
      plain += escaped(static_cast<unsigned char>(text[1]));
    } else {
      plain += text.front();
    }
    text.remove_prefix(taken);
  }
  return plain;
}

struct PlainOutput::Streams {
  PlainBuffer out{std::cout};
  PlainBuffer error{std::cerr};
  PlainBuffer log{std::clog};
};

PlainOutput::PlainOutput() : streams_(std::make_unique<Streams>()) {}
PlainOutput::~PlainOutput() = default;

}  // namespace da
