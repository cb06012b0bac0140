#include "lib/contract/place_text.h"

#include <charconv>
#include <optional>

#include "lib/contract/coordinates.h"

namespace da::contract {
namespace {

constexpr std::string_view kAt = "at ";
constexpr std::string_view kOutside = "outside the screen";

struct PlaceInText {
  Point point;
  std::size_t length;  // Bytes of "at X,Y".
};

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The place at the beginning of the text.
std::optional<PlaceInText> place_at(std::string_view text) {
  if (!text.starts_with(kAt)) return std::nullopt;
  const char* const end = text.data() + text.size();
  Point point;
  const auto x = std::from_chars(text.data() + kAt.size(), end, point.x);
  if (x.ec != std::errc() || x.ptr == end || *x.ptr != ',') return std::nullopt;
  const auto y = std::from_chars(x.ptr + 1, end, point.y);
  if (y.ec != std::errc() || (y.ptr != end && is_word(*y.ptr))) return std::nullopt;
  return PlaceInText{point, static_cast<std::size_t>(y.ptr - text.data())};
}

// Bytes of a quoted text with its marks. quote_foreign() escapes marks inside.
std::size_t quoted_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return 1;  // An unpaired mark quotes nothing.
}

bool has_image(const v1::CoordinateContract& image) { return image.image_width() > 0 && image.image_height() > 0; }

}  // namespace

std::string place_text(Point desktop) {
  return std::string(kAt) + std::to_string(desktop.x) + "," + std::to_string(desktop.y);
}

std::string place_text(const v1::CoordinateContract& image, Point desktop) {
  const auto at = map_to_image(image, desktop);
  return at ? place_text(*at) : std::string(kOutside);
}

std::string places_in_image(const v1::CoordinateContract& image, std::string_view sentence) {
  std::string mapped;
  bool in_word = false;
  while (!sentence.empty()) {
    std::size_t length = sentence.front() == '"' ? quoted_length(sentence) : 1;
    const auto place = in_word ? std::nullopt : place_at(sentence);
    if (place && has_image(image)) mapped += place_text(image, place->point);
    if (place && !has_image(image) && mapped.ends_with(' ')) mapped.pop_back();
    if (place) length = place->length;
    if (!place) mapped += sentence.substr(0, length);
    in_word = is_word(sentence[length - 1]);
    sentence.remove_prefix(length);
  }
  return mapped;
}

}  // namespace da::contract
