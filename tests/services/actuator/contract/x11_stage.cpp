#include <sstream>

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
  bool has_overlay() override { return true; }
  // A connection of the test's own reads the pixels as any other program does.
  std::string seen_by_person() override {
    if (!eyes_) eyes_ = *x11::Connection::open(session_.display(), system_clock());
    xcb_connection_t* const x = eyes_->get();
    const auto& screen = eyes_->screen();
    const auto asked = xcb_get_image(x, XCB_IMAGE_FORMAT_Z_PIXMAP, screen.root, 0, 0, screen.width_in_pixels,
                                     screen.height_in_pixels, ~0U);
    const auto image = eyes_->reply(xcb_get_image_reply, asked, "look at the screen");
    if (!image) throw std::runtime_error(image.error().message);
    return {reinterpret_cast<const char*>(xcb_get_image_data(image->get())),
            static_cast<std::size_t>(xcb_get_image_data_length(image->get()))};
  }

 private:
  TestSession session_;
  std::unique_ptr<x11::Connection> eyes_;
};

}  // namespace

std::unique_ptr<Stage> open_stage() { return std::make_unique<X11Stage>(); }

}  // namespace da::actuator::contract
