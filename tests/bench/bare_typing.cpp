#include "tests/bench/bare_typing.h"

#include <xcb/xcb.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace da::bench {
namespace {

constexpr std::uint32_t kNone = XCB_NONE;
constexpr std::uint32_t kPing = 0xbabe;
constexpr xcb_keysym_t kReturn = 0xff0d;
constexpr xcb_keysym_t kShift = 0xffe1;

struct Free {
  void operator()(void* reply) const { std::free(reply); }
};
template <class Reply>
using Owned = std::unique_ptr<Reply, Free>;
using Display = std::unique_ptr<xcb_connection_t, decltype(&xcb_disconnect)>;

struct Press {
  xcb_keycode_t code;
  bool shifted;
};

// The key and Shift state for each keysym of the first group.
std::map<xcb_keysym_t, Press> read_map(xcb_connection_t* x) {
  const auto* setup = xcb_get_setup(x);
  const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
  const Owned<xcb_get_keyboard_mapping_reply_t> map(
      xcb_get_keyboard_mapping_reply(x, xcb_get_keyboard_mapping(x, setup->min_keycode, count), nullptr));
  std::map<xcb_keysym_t, Press> keys;
  if (!map) return keys;
  const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(map.get());
  for (int key = 0; key < count; ++key) {
    for (int level = 0; level < std::min<int>(2, map->keysyms_per_keycode); ++level) {
      const auto code = static_cast<xcb_keycode_t>(setup->min_keycode + key);
      keys.try_emplace(keysyms[key * map->keysyms_per_keycode + level], Press{code, level == 1});
    }
  }
  return keys;
}

xcb_atom_t atom(xcb_connection_t* x, std::string_view name) {
  const Owned<xcb_intern_atom_reply_t> reply(
      xcb_intern_atom_reply(x, xcb_intern_atom(x, 0, static_cast<std::uint16_t>(name.size()), name.data()), nullptr));
  return reply ? reply->atom : kNone;
}

bool answers_pings(xcb_connection_t* x, xcb_window_t window, xcb_atom_t protocols, xcb_atom_t ping) {
  const Owned<xcb_get_property_reply_t> value(
      xcb_get_property_reply(x, xcb_get_property(x, 0, window, protocols, XCB_ATOM_ATOM, 0, 32), nullptr));
  if (!value) return false;
  const auto* atoms = static_cast<const xcb_atom_t*>(xcb_get_property_value(value.get()));
  return std::ranges::find(atoms, atoms + value->value_len, ping) != atoms + value->value_len;
}

// The focused window, or its nearest ancestor that answers pings.
xcb_window_t find_reader(xcb_connection_t* x, xcb_window_t root, xcb_atom_t protocols, xcb_atom_t ping) {
  const Owned<xcb_get_input_focus_reply_t> focus(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), nullptr));
  xcb_window_t window = focus ? focus->focus : kNone;
  while (window > XCB_INPUT_FOCUS_POINTER_ROOT && window != root) {
    if (answers_pings(x, window, protocols, ping)) return window;
    const Owned<xcb_query_tree_reply_t> tree(xcb_query_tree_reply(x, xcb_query_tree(x, window), nullptr));
    window = tree ? tree->parent : kNone;
  }
  return kNone;
}

void send_ping(xcb_connection_t* x, xcb_window_t window, xcb_atom_t protocols, xcb_atom_t ping) {
  xcb_client_message_event_t message{};
  message.response_type = XCB_CLIENT_MESSAGE;
  message.format = 32;
  message.window = window;
  message.type = protocols;
  message.data.data32[0] = ping;
  message.data.data32[1] = kPing;
  message.data.data32[2] = window;
  xcb_send_event(x, 0, window, XCB_EVENT_MASK_NO_EVENT, reinterpret_cast<const char*>(&message));
}

bool is_answer(const xcb_generic_event_t& event, xcb_atom_t protocols) {
  if ((event.response_type & 0x7f) != XCB_CLIENT_MESSAGE) return false;
  const auto& message = reinterpret_cast<const xcb_client_message_event_t&>(event);
  return message.type == protocols && message.data.data32[1] == kPing;
}

}  // namespace

Result<void> type_bare(std::u32string_view text) {
  const Display display(xcb_connect(nullptr, nullptr), &xcb_disconnect);
  xcb_connection_t* x = display.get();
  if (xcb_connection_has_error(x) != 0) return Error{Code::kUnavailable, "no display"};
  const xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(x)).data->root;
  const auto keys = read_map(x);
  const auto protocols = atom(x, "WM_PROTOCOLS");
  const auto ping = atom(x, "_NET_WM_PING");
  const xcb_window_t reader = find_reader(x, root, protocols, ping);
  if (reader == kNone || !keys.contains(kShift)) {
    return Error{Code::kFailedPrecondition,
                 "no window that answers a ping has the focus, or the keyboard has no Shift"};
  }
  const std::uint32_t events = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
  xcb_change_window_attributes(x, root, XCB_CW_EVENT_MASK, &events);
  const auto send = [&](xcb_keycode_t code, bool down) {
    xcb_test_fake_input(x, down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code, XCB_CURRENT_TIME, root, 0, 0, 0);
  };
  bool shifted = false;
  for (const char32_t character : text) {
    const auto press = keys.find(character == U'\n' ? kReturn : static_cast<xcb_keysym_t>(character));
    if (press == keys.end()) return Error{Code::kInvalidArgument, "no key for a character"};
    if (press->second.shifted != shifted) send(keys.at(kShift).code, !shifted);
    shifted = press->second.shifted;
    send(press->second.code, true);
    send(press->second.code, false);
  }
  if (shifted) send(keys.at(kShift).code, false);
  send_ping(x, reader, protocols, ping);
  xcb_flush(x);
  while (const Owned<xcb_generic_event_t> event{xcb_wait_for_event(x)}) {
    if (is_answer(*event, protocols)) return ok();
  }
  return Error{Code::kUnavailable, "the display went away"};
}

}  // namespace da::bench
