#include "services/actuator/desktop/x11/input/x11_person_watch.h"

#include <poll.h>
#include <pthread.h>
#include <spdlog/spdlog.h>
#include <xcb/xinput.h>

#include <algorithm>

#include "services/actuator/desktop/x11/input/keyboard/key_names.h"

namespace da::actuator::x11 {
namespace {

constexpr Keysym kEscape = 0xff1b;
constexpr Keysym kControl[] = {0xffe3, 0xffe4};
constexpr Keysym kShift[] = {0xffe1, 0xffe2};

struct SelectedEvents {
  xcb_input_event_mask_t head;
  std::uint32_t mask;
};

}  // namespace

Result<std::unique_ptr<X11PersonWatch>> X11PersonWatch::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  const auto* extension = connection->extension(xcb_input_id);
  const Error missing{Code::kUnimplemented,
                      "the X server has no XInput 2.1: cannot distinguish a person's input from a program's"};
  if (extension == nullptr) return missing;
  ASSIGN_OR_RETURN(const auto version,
                   connection->reply(xcb_input_xi_query_version_reply,
                                     xcb_input_xi_query_version(connection->get(), 2, 2), "ask the version of XInput"));
  // Since 2.1, raw events arrive during grabs too.
  if (std::pair(version->major_version, version->minor_version) < std::pair<std::uint16_t, std::uint16_t>(2, 1)) {
    return missing;
  }
  ASSIGN_OR_RETURN(os::Pipe stop, os::make_pipe());
  const std::uint8_t opcode = extension->major_opcode;
  std::unique_ptr<X11PersonWatch> watch(new X11PersonWatch(std::move(connection), opcode, std::move(stop)));
  RETURN_IF_ERROR(watch->select());
  RETURN_IF_ERROR(watch->find_our_devices());
  RETURN_IF_ERROR(watch->find_chord_keys());
  watch->thread_ = std::thread([raw = watch.get()] { raw->run(); });
  return watch;
}

X11PersonWatch::X11PersonWatch(std::unique_ptr<Connection> connection, std::uint8_t extension, os::Pipe stop)
    : connection_(std::move(connection)), extension_(extension), stop_(std::move(stop)) {}

X11PersonWatch::~X11PersonWatch() {
  stop_.writer.reset();
  if (thread_.joinable()) thread_.join();
}

void X11PersonWatch::watch(Notice notice) {
  const std::lock_guard lock(telling_);
  watched_ = notice != nullptr;
  notice_ = std::move(notice);
}

// Events of master devices name their source and come once; input of a device without a master reaches no application.
Result<void> X11PersonWatch::select() {
  const SelectedEvents raw{{XCB_INPUT_DEVICE_ALL_MASTER, 1},
                           XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE |
                               XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_MOTION |
                               XCB_INPUT_XI_EVENT_MASK_RAW_TOUCH_BEGIN};
  const SelectedEvents devices{{XCB_INPUT_DEVICE_ALL, 1}, XCB_INPUT_XI_EVENT_MASK_HIERARCHY};
  for (const SelectedEvents* events : {&raw, &devices}) {
    const auto selected = xcb_input_xi_select_events_checked(connection_->get(), connection_->root(), 1, &events->head);
    RETURN_IF_ERROR(connection_->check(selected, "watch for a person's input"));
  }
  return ok();
}

Result<void> X11PersonWatch::find_our_devices() {
  xcb_connection_t* x = connection_->get();
  ASSIGN_OR_RETURN(const auto mark, connection_->atom("XTEST Device"));
  const auto listed = xcb_input_xi_query_device(x, XCB_INPUT_DEVICE_ALL);
  ASSIGN_OR_RETURN(const auto devices,
                   connection_->reply(xcb_input_xi_query_device_reply, listed, "list the input devices"));
  std::set<Device> ours;
  for (auto each = xcb_input_xi_query_device_infos_iterator(devices.get()); each.rem > 0;
       xcb_input_xi_device_info_next(&each)) {
    const Device device = each.data->deviceid;
    const auto asked = xcb_input_xi_get_property(x, device, 0, mark, XCB_ATOM_ANY, 0, 1);
    const auto property = connection_->reply(xcb_input_xi_get_property_reply, asked, "look at an input device");
    if (property && (*property)->type != XCB_ATOM_NONE) ours.insert(device);
  }
  RETURN_IF_ERROR(connection_->alive());
  const std::lock_guard lock(taking_);
  ours_ = std::move(ours);
  return ok();
}

// Replaces only key sets that are found: a map without an Escape key must not disable the kill switch.
Result<void> X11PersonWatch::find_chord_keys() {
  const auto* setup = xcb_get_setup(connection_->get());
  const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
  const auto cookie = xcb_get_keyboard_mapping(connection_->get(), setup->min_keycode, count);
  ASSIGN_OR_RETURN(const auto map, connection_->reply(xcb_get_keyboard_mapping_reply, cookie, "read the keyboard map"));
  const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(map.get());
  std::set<std::uint32_t> control, shift, escape;
  for (std::uint32_t key = 0; key < count; ++key) {
    const Keysym keysym = map->keysyms_per_keycode == 0 ? 0 : keysyms[key * map->keysyms_per_keycode];
    const std::uint32_t code = setup->min_keycode + key;
    if (std::ranges::find(kControl, keysym) != std::end(kControl)) control.insert(code);
    if (std::ranges::find(kShift, keysym) != std::end(kShift)) shift.insert(code);
    if (keysym == kEscape) escape.insert(code);
  }
  const std::lock_guard lock(taking_);
  if (!control.empty()) control_ = std::move(control);
  if (!shift.empty()) shift_ = std::move(shift);
  if (!escape.empty()) escape_ = std::move(escape);
  return ok();
}

void X11PersonWatch::take_events() {
  while (const EventPtr event = connection_->pending_event()) handle(*event);
}

bool X11PersonWatch::has_news() {
  const std::lock_guard lock(taking_);
  take_events();
  return watched_ && !news_.empty();
}

X11PersonWatch::KeyCounts X11PersonWatch::releases() {
  (void)connection_->sync();
  const std::lock_guard lock(taking_);
  take_events();
  return releases_;
}

std::set<X11PersonWatch::Device> X11PersonWatch::devices_of_programs() {
  const std::lock_guard lock(taking_);
  return ours_;
}

// A new device counts as a person's until it is examined.
bool X11PersonWatch::find_what_changed() {
  const auto take = [this](bool& flag) {
    const std::lock_guard lock(taking_);
    return std::exchange(flag, false);
  };
  const auto log = [](const Result<void>& found) {
    if (!found) spdlog::warn("{}", found.error().message);
  };
  const bool keys = take(keys_changed_);
  const bool devices = take(devices_changed_);
  if (keys) log(find_chord_keys());
  if (devices) log(find_our_devices());
  return keys || devices;
}

// The server, or another client by XKillClient, may close this connection alone.
std::optional<std::string> X11PersonWatch::blindness() {
  const auto alive = connection_->alive();
  if (alive) return std::nullopt;
  return "the connection that watches keys and mouse is lost: " + alive.error().message + "; restart the actuator";
}

// An input stays in news_ until notice_ has returned.
void X11PersonWatch::look() {
  const std::lock_guard telling(telling_);
  for (;;) {
    PersonInput next{};
    bool any = false;
    {
      const std::lock_guard lock(taking_);
      take_events();
      if (!notice_) news_.clear();
      any = !news_.empty();
      if (any) next = news_.front();
    }
    // Further events may have arrived with the server's replies.
    if (!any && find_what_changed()) continue;
    if (!any) return;
    notice_(next);
    const std::lock_guard lock(taking_);
    news_.pop_front();
  }
}

void X11PersonWatch::run() {
  pthread_setname_np(pthread_self(), "person");
  for (;;) {
    look();
    if (auto alive = connection_->alive(); !alive) {
      spdlog::error("a person's input is no longer detected: {}", alive.error().message);
      return;
    }
    connection_->flush();
    pollfd waiting[] = {{xcb_get_file_descriptor(connection_->get()), POLLIN, 0}, {stop_.reader.get(), POLLIN, 0}};
    ::poll(waiting, 2, -1);
    if (waiting[1].revents != 0) return;
  }
}

void X11PersonWatch::handle(const xcb_generic_event_t& event) {
  keys_changed_ |= event_type(event) == XCB_MAPPING_NOTIFY;
  if (event_type(event) != XCB_GE_GENERIC) return;
  const auto& input = reinterpret_cast<const xcb_input_raw_key_press_event_t&>(event);
  if (input.extension != extension_) return;
  if (input.event_type == XCB_INPUT_HIERARCHY) devices_changed_ = true;
  const bool ours = ours_.contains(input.sourceid);
  if (input.event_type == XCB_INPUT_RAW_KEY_RELEASE && input.detail < releases_.size()) ++releases_[input.detail];
  if (input.event_type == XCB_INPUT_HIERARCHY || ours) return;
  switch (input.event_type) {
    case XCB_INPUT_RAW_KEY_PRESS: return key(input.sourceid, input.detail, true);
    case XCB_INPUT_RAW_KEY_RELEASE: return key(input.sourceid, input.detail, false);
    default: news_.push_back(PersonInput::kMouse);
  }
}

void X11PersonWatch::key(Device source, std::uint32_t code, bool down) {
  if (!down) {
    held_.erase({source, code});
    return;
  }
  held_.insert({source, code});
  news_.push_back(chord_is_held(code) ? PersonInput::kKillSwitch : PersonInput::kKeyboard);
}

// The three keys may be pressed in any order.
bool X11PersonWatch::chord_is_held(std::uint32_t last) const {
  const auto holds_one_of = [this](const std::set<std::uint32_t>& codes) {
    return std::ranges::any_of(held_, [&](const auto& key) { return codes.contains(key.second); });
  };
  const bool part = control_.contains(last) || shift_.contains(last) || escape_.contains(last);
  return part && holds_one_of(control_) && holds_one_of(shift_) && holds_one_of(escape_);
}

}  // namespace da::actuator::x11
