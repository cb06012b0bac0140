#include "services/actuator/desktop/x11/input/button_map.h"

#include <xcb/xinput.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kMostButtons = 255;

std::string_view name_of(std::uint8_t button) {
  constexpr std::string_view kNames[] = {"first (left)", "second (middle)", "third (right)", "wheel up",
                                         "wheel down",   "wheel left",      "wheel right"};
  return button >= 1 && button <= std::size(kNames) ? kNames[button - 1] : "wished";
}

// Buttons beyond the end of a map keep their number.
std::uint8_t mapped(const std::vector<std::uint8_t>& map, std::uint8_t button) {
  return button >= 1 && button <= map.size() ? map[button - 1] : button;
}

}  // namespace

// XTEST sends from the XTEST pointer that belongs to this client's pointer.
Result<ButtonMap> ButtonMap::open(Connection& connection) {
  if (connection.extension(xcb_input_id) == nullptr) return ButtonMap(connection, std::nullopt);
  xcb_connection_t* x = connection.get();
  const auto ask_version = xcb_input_xi_query_version(x, 2, 2);
  ASSIGN_OR_RETURN(const auto mark, connection.atom("XTEST Device"));
  const auto ask_pointer = xcb_input_xi_get_client_pointer(x, XCB_NONE);
  const auto ask_devices = xcb_input_xi_query_device(x, XCB_INPUT_DEVICE_ALL);
  const auto version = connection.reply(xcb_input_xi_query_version_reply, ask_version, "ask the version of XInput");
  const auto pointer = connection.reply(xcb_input_xi_get_client_pointer_reply, ask_pointer, "find the pointer");
  const auto devices = connection.reply(xcb_input_xi_query_device_reply, ask_devices, "list the input devices");
  RETURN_IF_ERROR(connection.alive());
  if (!version || !pointer || !devices) return ButtonMap(connection, std::nullopt);
  for (auto each = xcb_input_xi_query_device_infos_iterator(devices->get()); each.rem > 0;
       xcb_input_xi_device_info_next(&each)) {
    const auto& device = *each.data;
    if (device.type != XCB_INPUT_DEVICE_TYPE_SLAVE_POINTER || device.attachment != (*pointer)->deviceid) continue;
    const auto asked = xcb_input_xi_get_property(x, device.deviceid, 0, mark, XCB_ATOM_ANY, 0, 1);
    const auto property = connection.reply(xcb_input_xi_get_property_reply, asked, "look at an input device");
    if (property && (*property)->type != XCB_ATOM_NONE) {
      return ButtonMap(connection, static_cast<std::uint8_t>(device.deviceid));
    }
  }
  RETURN_IF_ERROR(connection.alive());
  return ButtonMap(connection, std::nullopt);
}

Result<std::uint8_t> ButtonMap::number_to_send(std::uint8_t wished) const {
  xcb_connection_t* x = connection_->get();
  const auto ask_whole = xcb_get_pointer_mapping(x);
  std::vector<std::uint8_t> of_device;
  if (device_) {
    const auto asked = xcb_input_get_device_button_mapping(x, *device_);
    const auto map = connection_->reply(xcb_input_get_device_button_mapping_reply, asked, "read a device's button map");
    if (map) {
      const std::uint8_t* first = xcb_input_get_device_button_mapping_map(map->get());
      of_device.assign(first, first + xcb_input_get_device_button_mapping_map_length(map->get()));
    }
  }
  ASSIGN_OR_RETURN(const auto whole,
                   connection_->reply(xcb_get_pointer_mapping_reply, ask_whole, "read the button map"));
  const std::uint8_t* first = xcb_get_pointer_mapping_map(whole.get());
  const std::vector<std::uint8_t> of_all(first, first + xcb_get_pointer_mapping_map_length(whole.get()));
  // A pointer without an exchanged button keeps the number.
  if (mapped(of_all, mapped(of_device, wished)) == wished) return wished;
  const std::size_t buttons = std::min(kMostButtons, std::max(of_device.size(), of_all.size()));
  for (std::size_t number = 1; number <= buttons; ++number) {
    const auto sent = static_cast<std::uint8_t>(number);
    if (mapped(of_all, mapped(of_device, sent)) == wished) return sent;
  }
  return Error{Code::kUnavailable, "nothing was sent: the button map of the pointer has no " +
                                       std::string(name_of(wished)) +
                                       " button: `xmodmap -pp` shows it, `xmodmap -e \"pointer = default\"` resets it"};
}

}  // namespace da::actuator::x11
