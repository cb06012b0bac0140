#include "services/actuator/desktop/x11/input/pointer_settings.h"

#include <cstdint>
#include <optional>

namespace da::actuator::x11 {
namespace {

constexpr int kMostPixels = 1'000;
constexpr int kMostMilliseconds = 10'000;

enum Type : std::uint8_t { kInteger = 0, kString = 1, kColor = 2 };

// Reads numbers in the byte order of the writer.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::uint32_t> number(std::size_t size) {
    if (bytes_.size() < size) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto byte = static_cast<std::uint8_t>(bytes_[big_endian_ ? i : size - 1 - i]);
      value = value << 8 | byte;
    }
    bytes_.remove_prefix(size);
    return value;
  }
  // Skips its padding to 4 bytes, too.
  std::optional<std::string_view> text(std::size_t size) {
    const std::size_t padded = (size + 3) / 4 * 4;
    if (padded < size || bytes_.size() < padded) return std::nullopt;
    const std::string_view found = bytes_.substr(0, size);
    bytes_.remove_prefix(padded);
    return found;
  }
  void set_big_endian(bool big) { big_endian_ = big; }

 private:
  std::string_view bytes_;
  bool big_endian_ = false;
};

}  // namespace

std::map<std::string, int, std::less<>> parse_xsettings(std::string_view value) {
  std::map<std::string, int, std::less<>> settings;
  Reader in(value);
  const auto order = in.number(1);
  if (!order || !in.number(3)) return settings;
  in.set_big_endian(*order == 1);
  const auto serial = in.number(4);
  const auto count = in.number(4);
  if (!serial || !count) return settings;
  for (std::uint32_t n = 0; n < *count; ++n) {
    const auto type = in.number(1);
    const auto unused = in.number(1);
    const auto length = in.number(2);
    if (!type || !unused || !length) break;
    const auto name = in.text(*length);
    if (!name || !in.number(4)) break;  // The second is the serial number of the last change.
    if (*type == kInteger) {
      const auto number = in.number(4);
      if (!number) break;
      settings.emplace(*name, static_cast<int>(*number));
    } else if (*type == kString) {
      const auto size = in.number(4);
      if (!size || !in.text(*size)) break;
    } else if (*type != kColor || !in.text(8)) {
      break;
    }
  }
  return settings;
}

PointerSettings read_pointer_settings(Connection& connection) {
  PointerSettings found;
  // The back end drives the first screen of the display.
  const auto manager_name = connection.atom("_XSETTINGS_S0");
  if (!manager_name) return found;
  const auto manager = connection.selection_owner(*manager_name);
  if (!manager || *manager == XCB_NONE) return found;
  const auto value = connection.property(*manager, "_XSETTINGS_SETTINGS");
  if (!value || value->format != 8) return found;
  const auto settings = parse_xsettings(value->bytes);
  const auto use = [&settings](std::string_view name, int most, auto& place) {
    const auto setting = settings.find(name);
    if (setting == settings.end() || setting->second <= 0 || setting->second > most) return;
    place = std::remove_cvref_t<decltype(place)>(setting->second);
  };
  use("Net/DoubleClickTime", kMostMilliseconds, found.double_click_time);
  use("Net/DndDragThreshold", kMostPixels, found.drag_threshold);
  return found;
}

}  // namespace da::actuator::x11
