// raw_input_log: prints every key, button and motion event that the X server reports for this display:
//   <CLOCK_MONOTONIC in ns> <server time in ms> <source device> <press|release|button|up|motion> <n>
// It links no code of the project, so that it can check it independently. It ends at the end of stdin.
#include <poll.h>
#include <time.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xinput.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace {

const char* name_of(std::uint16_t type) {
  switch (type) {
    case XCB_INPUT_RAW_KEY_PRESS: return "press";
    case XCB_INPUT_RAW_KEY_RELEASE: return "release";
    case XCB_INPUT_RAW_BUTTON_PRESS: return "button";
    case XCB_INPUT_RAW_BUTTON_RELEASE: return "up";
    case XCB_INPUT_RAW_MOTION: return "motion";
    default: return nullptr;
  }
}

void write_down(const xcb_generic_event_t& event) {
  if ((event.response_type & 0x7f) != XCB_GE_GENERIC) return;
  const auto& raw = reinterpret_cast<const xcb_input_raw_key_press_event_t&>(event);
  const char* name = name_of(raw.event_type);
  if (name == nullptr) return;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::printf("%" PRId64 " %u %u %s %u\n", static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec,
              raw.time, raw.sourceid, name, raw.detail);
}

}  // namespace

int main() {
  xcb_connection_t* x = xcb_connect(nullptr, nullptr);
  if (xcb_connection_has_error(x) != 0) return 1;
  free(xcb_input_xi_query_version_reply(x, xcb_input_xi_query_version(x, 2, 2), nullptr));
  struct {
    xcb_input_event_mask_t head{XCB_INPUT_DEVICE_ALL_MASTER, 1};
    std::uint32_t mask = XCB_INPUT_XI_EVENT_MASK_RAW_KEY_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_KEY_RELEASE |
                         XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_PRESS | XCB_INPUT_XI_EVENT_MASK_RAW_BUTTON_RELEASE |
                         XCB_INPUT_XI_EVENT_MASK_RAW_MOTION;
  } selected;
  xcb_input_xi_select_events(x, xcb_setup_roots_iterator(xcb_get_setup(x)).data->root, 1, &selected.head);
  free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), nullptr));
  std::printf("ready\n");
  std::fflush(stdout);
  for (;;) {
    while (xcb_generic_event_t* event = xcb_poll_for_event(x)) {
      write_down(*event);
      free(event);
    }
    std::fflush(stdout);
    if (xcb_connection_has_error(x) != 0) return 1;
    pollfd waiting[] = {{xcb_get_file_descriptor(x), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    poll(waiting, 2, -1);
    if (waiting[1].revents == 0) continue;
    xcb_disconnect(x);
    return 0;
  }
}
