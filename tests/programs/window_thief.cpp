// window_thief X Y WIDTH HEIGHT HOW: a window that comes under the pointer at the worst moments, to get clicks that are
// meant for another one. Prints "press" for each press that it gets, and "click" if the release follows inside of it,
// which is a click for a toolkit. HOW is when it comes:
//
//   blink    now and then, for moments of random length
//   motion   at each motion of the pointer
//   grab     at each motion; it grabs the pointer instead of showing a window
//
// It links no code of the project, so that it can check it independently. It ends at the end of stdin.
#include <poll.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xinput.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

namespace {

constexpr int kShownMs = 4;  // Time that it shows after a motion.
// When it blinks. A planner that waits until nothing covers its target must find a moment for that.
constexpr int kLongestShownMs = 12;
constexpr int kLongestHiddenMs = 400;

class Thief {
 public:
  Thief(xcb_connection_t* x, xcb_rectangle_t place, std::string_view how)
      : x_(x), place_(place), root_(xcb_setup_roots_iterator(xcb_get_setup(x)).data->root), grabs_(how == "grab") {
    window_ = xcb_generate_id(x);
    const std::uint32_t values[] = {0x00aa0000, 1, XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE};
    xcb_create_window(x, XCB_COPY_FROM_PARENT, window_, root_, place.x, place.y, place.width, place.height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
    blinks_ = how == "blink";
    if (!blinks_) select_motions();
    if (grabs_) show(true);  // A window that grabs must be visible; this one lies beside.
    xcb_flush(x);
  }

  // How long to wait for the next event.
  int timeout() {
    if (blinks_) return std::uniform_int_distribution<int>(0, steals_ ? kLongestShownMs : kLongestHiddenMs)(random_);
    return steals_ ? kShownMs : 1000;
  }

  void on_event(const xcb_generic_event_t& event) {
    const int type = event.response_type & 0x7f;
    if (type == XCB_BUTTON_PRESS) {
      pressed_ = true;
      std::puts("press");
    }
    if (type == XCB_BUTTON_RELEASE && pressed_) {
      pressed_ = false;
      const auto& at = reinterpret_cast<const xcb_button_release_event_t&>(event);
      const bool inside = at.event_x >= 0 && at.event_y >= 0 && at.event_x < place_.width && at.event_y < place_.height;
      std::puts(inside || grabs_ ? "click" : "released elsewhere");
    }
    std::fflush(stdout);
    if (type == XCB_GE_GENERIC && !steals_) steal(true);
  }

  void on_timeout() {
    if (blinks_) {
      steal(!steals_);
    } else if (steals_ && !pressed_) {
      steal(false);
    }
  }

 private:
  void select_motions() {
    free(xcb_input_xi_query_version_reply(x_, xcb_input_xi_query_version(x_, 2, 2), nullptr));
    struct {
      xcb_input_event_mask_t head{XCB_INPUT_DEVICE_ALL_MASTER, 1};
      std::uint32_t mask = XCB_INPUT_XI_EVENT_MASK_RAW_MOTION;
    } selected;
    xcb_input_xi_select_events(x_, root_, 1, &selected.head);
  }

  void show(bool shown) {
    if (!shown) {
      xcb_unmap_window(x_, window_);
      return;
    }
    const std::uint32_t above = XCB_STACK_MODE_ABOVE;
    xcb_configure_window(x_, window_, XCB_CONFIG_WINDOW_STACK_MODE, &above);
    xcb_map_window(x_, window_);
  }

  void steal(bool now) {
    steals_ = now;
    if (!grabs_) {
      show(now);
    } else if (now) {
      xcb_discard_reply(x_,
                        xcb_grab_pointer(x_, 0, window_, XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE,
                                         XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC, XCB_NONE, XCB_NONE, XCB_CURRENT_TIME)
                            .sequence);
    } else {
      xcb_ungrab_pointer(x_, XCB_CURRENT_TIME);
    }
    xcb_flush(x_);
  }

  xcb_connection_t* x_;
  xcb_rectangle_t place_;
  xcb_window_t root_;
  xcb_window_t window_ = 0;
  bool grabs_, blinks_ = false, steals_ = false, pressed_ = false;
  std::minstd_rand random_{4711};
};

}  // namespace

int main(int argc, char** argv) {
  xcb_connection_t* x = xcb_connect(nullptr, nullptr);
  if (argc != 6 || xcb_connection_has_error(x) != 0) return 1;
  const auto number = [&](int at) { return std::atoi(argv[at]); };
  const xcb_rectangle_t place{static_cast<std::int16_t>(number(1)), static_cast<std::int16_t>(number(2)),
                              static_cast<std::uint16_t>(number(3)), static_cast<std::uint16_t>(number(4))};
  Thief thief(x, place, argv[5]);
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    pollfd polled[] = {{xcb_get_file_descriptor(x), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    const int ready = poll(polled, 2, thief.timeout());
    if (polled[1].revents != 0 || xcb_connection_has_error(x) != 0) return 0;
    while (xcb_generic_event_t* event = xcb_poll_for_event(x)) {
      thief.on_event(*event);
      free(event);
    }
    if (ready == 0) thief.on_timeout();
  }
}
