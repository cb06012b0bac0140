#include "services/actuator/desktop/x11/input/keyboard/key_symbols.h"

#include <xcb/xinput.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/actuator/desktop/x11/input/keyboard/keyboard_state.h"

// The header has fields named by a C++ keyword.
#define explicit explicit_
#include <xcb/xkb.h>
#undef explicit

namespace da::actuator::x11 {
namespace {

using Device = xcb_xkb_device_spec_t;

// The X Keyboard Extension's protocol, section "Key types": each map has this type, of two levels that Shift chooses.
constexpr std::uint8_t kTwoLevels = 1;
// An X11 reply has so many bytes besides those that its length field counts.
constexpr std::size_t kShortestReply = 32;
constexpr std::string_view kAttempted = "assign characters to borrowed keycodes";

// The keysyms of a range of keys, as in the protocol's KEYSYMMAP: a header, then the keysyms, for each key.
struct SymbolRange {
  xcb_keycode_t lowest = 0;  // Range of the device's keycodes.
  xcb_keycode_t highest = 0;
  xcb_keycode_t first = 0;  // First keycode of the range.
  std::uint8_t count = 0;
  std::uint16_t symbols = 0;
  std::string bytes;

  friend bool operator==(const SymbolRange&, const SymbolRange&) = default;
};

void append(SymbolRange& range, const xcb_xkb_key_sym_map_t& header, const void* symbols) {
  range.bytes.append(reinterpret_cast<const char*>(&header), sizeof(header));
  range.bytes.append(static_cast<const char*>(symbols), header.nSyms * sizeof(Keysym));
  range.symbols = static_cast<std::uint16_t>(range.symbols + header.nSyms);
  ++range.count;
}

xcb_xkb_key_sym_map_t header_of(const std::array<Keysym, 2>& symbols) {
  xcb_xkb_key_sym_map_t header{};
  if (symbols == std::array<Keysym, 2>{kNoSymbol, kNoSymbol}) return header;
  header.kt_index[0] = kTwoLevels;
  header.groupInfo = 1;
  header.width = 2;
  header.nSyms = 2;
  return header;
}

// The device's map from the first to the last of `keys`, with these changed.
Result<SymbolRange> changed_range(const xcb_xkb_get_map_reply_t& map, const KeySymbols& keys) {
  const Error malformed{Code::kInternal, "the X server's reply about its keyboard map is malformed"};
  SymbolRange range{.lowest = map.minKeyCode, .highest = map.maxKeyCode, .first = map.firstKeySym};
  const auto* at = static_cast<const char*>(xcb_xkb_get_map_map(&map));
  const char* const end = reinterpret_cast<const char*>(&map) + kShortestReply + 4 * std::size_t{map.length};
  for (int index = 0; index < map.nKeySyms; ++index) {
    xcb_xkb_key_sym_map_t header;
    if (end - at < static_cast<std::ptrdiff_t>(sizeof(header))) return malformed;
    std::memcpy(&header, at, sizeof(header));
    at += sizeof(header);
    if (end - at < static_cast<std::ptrdiff_t>(header.nSyms * sizeof(Keysym))) return malformed;
    const auto changed = keys.find(static_cast<xcb_keycode_t>(map.firstKeySym + index));
    if (changed == keys.end())
      append(range, header, at);
    else
      append(range, header_of(changed->second), changed->second.data());
    at += header.nSyms * sizeof(Keysym);
  }
  return range;
}

// The core keyboard first, then the devices that are attached to it: the server uses the map of the device that sent
// the last key.
Result<std::vector<Device>> keyboards(Connection& connection) {
  xcb_connection_t* x = connection.get();
  const auto ask_version = xcb_input_xi_query_version(x, 2, 2);
  const auto ask_core = xcb_xkb_get_state(x, XCB_XKB_ID_USE_CORE_KBD);
  const auto ask_devices = xcb_input_xi_query_device(x, XCB_INPUT_DEVICE_ALL);
  RETURN_IF_ERROR(connection.reply(xcb_input_xi_query_version_reply, ask_version, "ask the version of XInput"));
  ASSIGN_OR_RETURN(const auto core, connection.reply(xcb_xkb_get_state_reply, ask_core, "find the core keyboard"));
  ASSIGN_OR_RETURN(const auto devices,
                   connection.reply(xcb_input_xi_query_device_reply, ask_devices, "list the input devices"));
  std::vector<Device> found{core->deviceID};
  for (auto each = xcb_input_xi_query_device_infos_iterator(devices.get()); each.rem > 0;
       xcb_input_xi_device_info_next(&each)) {
    const auto& device = *each.data;
    if (device.type == XCB_INPUT_DEVICE_TYPE_SLAVE_KEYBOARD && device.attachment == found.front())
      found.push_back(device.deviceid);
  }
  return found;
}

// The changed range, when it is the same on all keyboards; nullopt when it is not.
Result<std::optional<SymbolRange>> common_range(Connection& connection, const KeySymbols& keys) {
  ASSIGN_OR_RETURN(const auto devices, keyboards(connection));
  const xcb_keycode_t first = keys.begin()->first;
  const auto count = static_cast<std::uint8_t>(keys.rbegin()->first - first + 1);
  std::vector<xcb_xkb_get_map_cookie_t> asked;
  for (const Device device : devices) {
    asked.push_back(xcb_xkb_get_map(connection.get(), device, 0, XCB_XKB_MAP_PART_KEY_SYMS, 0, 0, first, count, 0, 0, 0,
                                    0, 0, 0, 0, 0, 0, 0, 0));
  }
  std::optional<SymbolRange> common;
  bool same = true;
  for (const auto cookie : asked) {
    ASSIGN_OR_RETURN(const auto map, connection.reply(xcb_xkb_get_map_reply, cookie, "read a keyboard's map"));
    ASSIGN_OR_RETURN(auto range, changed_range(*map, keys));
    if (common)
      same = same && *common == range;
    else
      common = std::move(range);
  }
  return same ? common : std::nullopt;
}

Result<void> write_at_once(Connection& connection, const SymbolRange& range) {
  const auto sent = xcb_xkb_set_map_checked(connection.get(), XCB_XKB_ID_USE_CORE_KBD, XCB_XKB_MAP_PART_KEY_SYMS, 0,
                                            range.lowest, range.highest, 0, 0, range.first, range.count, range.symbols,
                                            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, range.bytes.data());
  return connection.check(sent, kAttempted);
}

// One request for each run of adjacent keycodes.
Result<void> write_run_by_run(Connection& connection, const KeySymbols& keys) {
  for (auto at = keys.begin(); at != keys.end();) {
    const xcb_keycode_t first = at->first;
    std::vector<xcb_keysym_t> rows;
    for (int next = first; at != keys.end() && at->first == next; ++at, ++next)
      rows.insert(rows.end(), at->second.begin(), at->second.end());
    const auto count = static_cast<std::uint8_t>(rows.size() / 2);
    RETURN_IF_ERROR(connection.check(
        xcb_change_keyboard_mapping_checked(connection.get(), count, first, 2, rows.data()), kAttempted));
  }
  return ok();
}

}  // namespace

// A keyboard with a layout of its own must not get the core keyboard's keys between those that change.
Result<void> write_key_symbols(Connection& connection, const KeySymbols& keys) {
  if (keys.empty()) return ok();
  const Connection::ServerGrab grab(connection);
  std::optional<SymbolRange> range;
  if (use_xkb(connection) && connection.extension(xcb_input_id) != nullptr) {
    ASSIGN_OR_RETURN(range, common_range(connection, keys));
  }
  return range ? write_at_once(connection, *range) : write_run_by_run(connection, keys);
}

}  // namespace da::actuator::x11
