#include "services/console/pixels.h"

#include <array>
#include <charconv>

namespace da::console {
namespace {

template <std::size_t count>
std::optional<std::array<int, count>> parse_numbers(std::string_view text) {
  constexpr int kFarthest = 100'000;
  std::array<int, count> numbers{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto [next, problem] = std::from_chars(at, end, numbers[i]);
    const bool last = i + 1 == count;
    if (problem != std::errc() || numbers[i] < -kFarthest || numbers[i] > kFarthest) return std::nullopt;
    if (last ? next != end : next == end || *next != ',') return std::nullopt;
    at = next + (last ? 0 : 1);
  }
  return numbers;
}

}  // namespace

std::optional<Point> parse_point(std::string_view text) {
  const auto numbers = parse_numbers<2>(text);
  if (!numbers) return std::nullopt;
  return Point{(*numbers)[0], (*numbers)[1]};
}

std::optional<Rect> parse_rect(std::string_view text) {
  const auto numbers = parse_numbers<4>(text);
  if (!numbers || (*numbers)[2] <= 0 || (*numbers)[3] <= 0) return std::nullopt;
  return Rect{(*numbers)[0], (*numbers)[1], (*numbers)[2], (*numbers)[3]};
}

}  // namespace da::console
