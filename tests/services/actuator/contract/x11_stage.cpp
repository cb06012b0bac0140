#include <signal.h>
#include <xcb/xinput.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "lib/os/process/child_process.h"
#include "services/actuator/desktop/x11/connection.h"
#include "tests/services/actuator/contract/stage.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator::contract {
namespace {

class X11Stage final : public Stage {
 public:
  Desktop& desktop() override { return session_.desktop(); }

  Target open_target(const std::string& title) override {
    Target target;
    target.window =
        session_.start("/usr/bin/python3 " DA_SOURCE_DIR "/tests/services/actuator/contract/x11_target.py " +
                           session_.file("").string() + " " + title,
                       title);
    if (!eventually([&] { return std::filesystem::exists(session_.file(title + ".pad")); })) {
      throw std::runtime_error("the target program does not tell the place of its pad");
    }
    std::istringstream place(read_file(session_.file(title + ".pad")));
    place >> target.pad.x >> target.pad.y >> target.pad.width >> target.pad.height;
    return target;
  }
  Events received(const std::string& title) override {
    std::istringstream lines(read_file(session_.file(title + ".events")));
    Events events;
    for (std::string line; std::getline(lines, line);) events.push_back(line);
    return events;
  }
  std::string text(const std::string& title) override { return read_file(session_.file(title + ".text")); }
  void open_dialog(const std::string& title) override {
    const auto open = desktop().windows().list().value();
    for (const WindowInfo& window : open) {
      if (window.title == title) ::kill(static_cast<pid_t>(window.pid), SIGUSR1);
    }
    await_focus_of("Question");
  }
  bool open_launcher() override { return open_receiver("launcher"); }
  bool open_menu() override { return open_receiver("menu"); }
  bool has_overlay() override { return true; }
  // A connection of the test's own reads the pixels as any other program does.
  std::string seen_by_person() override {
    xcb_connection_t* const x = person().get();
    const auto& screen = person().screen();
    const auto asked = xcb_get_image(x, XCB_IMAGE_FORMAT_Z_PIXMAP, screen.root, 0, 0, screen.width_in_pixels,
                                     screen.height_in_pixels, ~0U);
    const auto image = person().reply(xcb_get_image_reply, asked, "look at the screen");
    if (!image) throw std::runtime_error(image.error().message);
    return {reinterpret_cast<const char*>(xcb_get_image_data(image->get())),
            static_cast<std::size_t>(xcb_get_image_data_length(image->get()))};
  }
  bool act_as_person(PersonActs act) override {
    constexpr std::uint8_t kLeft = 1;
    switch (act) {
      case PersonActs::kTapsKey: press_and_release("Xvfb keyboard", XCB_INPUT_DEVICE_KEY_PRESS, {key_of('a')}); break;
      case PersonActs::kUsesMouse: press_and_release("Xvfb mouse", XCB_INPUT_DEVICE_BUTTON_PRESS, {kLeft}); break;
      case PersonActs::kPressesKillKeys:
        press_and_release("Xvfb keyboard", XCB_INPUT_DEVICE_KEY_PRESS,
                          {key_of(kControl), key_of(kShift), key_of(kEscape)});
        break;
    }
    return true;
  }
  bool lock() override {
    locker_.emplace(*os::ChildProcess::start({.program = "/usr/bin/i3lock",
                                              .arguments = {"--nofork", "--color=204060"},
                                              .environment = os::current_environment()}));
    return true;
  }
  void unlock() override {
    if (locker_) locker_->send_signal(SIGKILL);
    locker_.reset();
  }

 private:
  // `kind`: of tests/programs/receivers.py.
  bool open_receiver(const std::string& kind) {
    const std::string log = session_.file(kind + ".events").string();
    receiver_.emplace(*os::ChildProcess::start({.program = "/usr/bin/python3",
                                                .arguments = {DA_SOURCE_DIR "/tests/programs/receivers.py", log, kind},
                                                .environment = os::current_environment()}));
    return eventually([&] { return read_file(log).starts_with("grabbed"); });
  }

  static constexpr xcb_keysym_t kControl = 0xffe3;
  static constexpr xcb_keysym_t kShift = 0xffe1;
  static constexpr xcb_keysym_t kEscape = 0xff1b;

  // Sees and acts beside the actuator.
  x11::Connection& person() {
    if (!person_) person_ = *x11::Connection::open(session_.display(), system_clock());
    return *person_;
  }
  std::uint8_t key_of(xcb_keysym_t keysym) {
    const auto* setup = xcb_get_setup(person().get());
    const auto count = static_cast<std::uint8_t>(setup->max_keycode - setup->min_keycode + 1);
    const auto asked = xcb_get_keyboard_mapping(person().get(), setup->min_keycode, count);
    const auto map = *person().reply(xcb_get_keyboard_mapping_reply, asked, "read the keyboard map");
    const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(map.get());
    for (int key = 0; key < count; ++key) {
      if (keysyms[key * map->keysyms_per_keycode] == keysym) {
        return static_cast<std::uint8_t>(setup->min_keycode + key);
      }
    }
    throw std::runtime_error("the keyboard map has no such key");
  }
  std::uint8_t device_named(const std::string& wanted) {
    const auto asked = xcb_input_xi_query_device(person().get(), XCB_INPUT_DEVICE_ALL);
    const auto devices = *person().reply(xcb_input_xi_query_device_reply, asked, "list the input devices");
    for (auto each = xcb_input_xi_query_device_infos_iterator(devices.get()); each.rem > 0;
         xcb_input_xi_device_info_next(&each)) {
      const std::string name(xcb_input_xi_device_info_name(each.data),
                             static_cast<std::size_t>(xcb_input_xi_device_info_name_length(each.data)));
      if (name == wanted) return static_cast<std::uint8_t>(each.data->deviceid);
    }
    throw std::runtime_error("the X server has no device " + wanted);
  }
  // Sends events in the name of a device of the server, not of XTEST's own: the actuator takes them for a person's.
  // `press`: an event of the X Input extension; the number of its release is the next one.
  void press_and_release(const std::string& device, std::uint8_t press, const std::vector<std::uint8_t>& keys) {
    xcb_connection_t* const x = person().get();
    const std::uint8_t id = device_named(device);
    const auto first = static_cast<std::uint8_t>(person().extension(xcb_input_id)->first_event + press);
    const auto send = [&](std::uint8_t event, std::uint8_t key) {
      xcb_test_fake_input(x, event, key, XCB_CURRENT_TIME, XCB_NONE, 0, 0, id);
    };
    for (const std::uint8_t key : keys) send(first, key);
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) send(static_cast<std::uint8_t>(first + 1), *key);
    if (const auto sent = person().sync(); !sent) throw std::runtime_error(sent.error().message);
  }

  TestSession session_;
  std::unique_ptr<x11::Connection> person_;
  std::optional<os::ChildProcess> locker_;
  std::optional<os::ChildProcess> receiver_;
};

}  // namespace

std::unique_ptr<Stage> open_stage() { return std::make_unique<X11Stage>(); }

}  // namespace da::actuator::contract
