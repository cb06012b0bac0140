#include "services/actuator/desktop/x11/screen/x11_screen.h"

#include <sys/mman.h>
#include <unistd.h>
#include <xcb/shm.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/screen/cursor_names.h"
#include "services/actuator/desktop/x11/screen/drawing_watch.h"
#include "services/actuator/desktop/x11/screen/screen_layout.h"

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kBytesPerPixel = 4;
constexpr int kLayoutChangesInOneCapture = 4;

// Checks for BGRX, 4 bytes per pixel, as FrameView promises.
Result<void> check_format(const Connection& connection) {
  const xcb_setup_t* setup = xcb_get_setup(connection.get());
  const std::uint8_t depth = connection.screen().root_depth;
  if ((depth == 24 || depth == 32) && setup->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST) {
    for (auto formats = xcb_setup_pixmap_formats_iterator(setup); formats.rem > 0; xcb_format_next(&formats))
      if (formats.data->depth == depth && formats.data->bits_per_pixel == 32) return ok();
  }
  return Error{Code::kUnimplemented,
               "this X display has a depth of " + std::to_string(depth) + " bits; captures need 24 or 32 in 4 bytes"};
}

}  // namespace

Result<std::unique_ptr<PixelSegment>> PixelSegment::create(Connection& connection, std::size_t size) {
  os::UniqueFd memory(::memfd_create("frame", MFD_CLOEXEC));
  if (!memory) return posix_error("create memory for a frame", errno);
  if (::ftruncate(memory.get(), static_cast<off_t>(size)) != 0) return posix_error("size memory for a frame", errno);
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory.get(), 0);
  if (mapped == MAP_FAILED) return posix_error("map memory for a frame", errno);
  std::unique_ptr<PixelSegment> segment(new PixelSegment(connection, static_cast<std::uint8_t*>(mapped), size));
  if (connection.extension(xcb_shm_id) == nullptr) return segment;
  const auto version = connection.reply(xcb_shm_query_version_reply, xcb_shm_query_version(connection.get()),
                                        "ask the version of MIT-SHM");
  const bool takes_fd = version && ((*version)->major_version > 1 || (*version)->minor_version >= 2);
  if (!takes_fd) return segment;
  const std::uint32_t id = xcb_generate_id(connection.get());
  // XCB closes the descriptor.
  const auto attached = connection.check(xcb_shm_attach_fd_checked(connection.get(), id, memory.release(), 0), "share");
  if (attached) segment->id_ = id;
  return segment;
}

PixelSegment::~PixelSegment() {
  if (id_ != 0) {
    xcb_shm_detach(connection_.get(), id_);
    connection_.flush();
  }
  ::munmap(data_, size_);
}

Result<std::unique_ptr<X11Screen>> X11Screen::open(std::shared_ptr<Connection> connection,
                                                   std::unique_ptr<Connection> changes, DamageWatch& damage,
                                                   X11Overlay& overlay) {
  RETURN_IF_ERROR(check_format(*connection));
  const Rect desktop{0, 0, connection->screen().width_in_pixels, connection->screen().height_in_pixels};
  ASSIGN_OR_RETURN(const bool all_reported, reports_all_drawing(*connection));
  ASSIGN_OR_RETURN(const DrawnAreas drawn, DrawnAreas::watch(*changes, overlay));
  return std::unique_ptr<X11Screen>(
      new X11Screen(std::move(connection), std::move(changes), damage, overlay, desktop, drawn, all_reported));
}

Result<Layout> X11Screen::layout() {
  ASSIGN_OR_RETURN(Layout layout, read_layout(*connection_));
  desktop_ = layout.desktop;
  return layout;
}

Result<void> X11Screen::read_pixels(PixelSegment& segment, const Rect& area) {
  const auto x = static_cast<std::int16_t>(area.x);
  const auto y = static_cast<std::int16_t>(area.y);
  const auto width = static_cast<std::uint16_t>(area.width);
  const auto height = static_cast<std::uint16_t>(area.height);
  constexpr std::uint32_t kAllPlanes = std::numeric_limits<std::uint32_t>::max();
  if (segment.shared()) {
    xcb_shm_get_image_cookie_t cookie{};
    overlay_.hide_during(area, [&] {
      cookie = xcb_shm_get_image(connection_->get(), connection_->root(), x, y, width, height, kAllPlanes,
                                 XCB_IMAGE_FORMAT_Z_PIXMAP, segment.id(), 0);
    });
    RETURN_IF_ERROR(connection_->reply(xcb_shm_get_image_reply, cookie, "capture the screen"));
    return ok();
  }
  xcb_get_image_cookie_t cookie{};
  overlay_.hide_during(area, [&] {
    cookie = xcb_get_image(connection_->get(), XCB_IMAGE_FORMAT_Z_PIXMAP, connection_->root(), x, y, width, height,
                           kAllPlanes);
  });
  ASSIGN_OR_RETURN(const auto image, connection_->reply(xcb_get_image_reply, cookie, "capture the screen"));
  const auto bytes = static_cast<std::size_t>(xcb_get_image_data_length(image.get()));
  std::memcpy(segment.data(), xcb_get_image_data(image.get()), std::min(bytes, segment.size()));
  return ok();
}

// Asks for the desktop's size in the same round trip as its pixels, and captures again when it has changed.
Result<FrameView> X11Screen::fetch(std::unique_ptr<PixelSegment>& segment, const Rect& wanted) {
  for (int attempt = 0; attempt < kLayoutChangesInOneCapture; ++attempt) {
    const Rect area = intersection(wanted, desktop_);
    const auto geometry = xcb_get_geometry(connection_->get(), connection_->root());
    Result<void> pixels;
    if (!area.empty()) {
      // It holds the whole desktop: the fresh pages of a larger segment would cost more time than the pixels.
      const auto size = static_cast<std::size_t>(desktop_.area()) * kBytesPerPixel;
      if (!segment || segment->size() < size) {
        segment.reset();
        ASSIGN_OR_RETURN(segment, PixelSegment::create(*connection_, size));
      }
      pixels = read_pixels(*segment, area);
    }
    ASSIGN_OR_RETURN(const auto root, connection_->reply(xcb_get_geometry_reply, geometry, "measure the desktop"));
    const Rect now{0, 0, root->width, root->height};
    if (now != desktop_) {
      desktop_ = now;
      history_.add_everything();
      continue;
    }
    RETURN_IF_ERROR(std::move(pixels));
    if (area.empty()) return Error{Code::kOutOfRange, "the area to capture lies outside the desktop"};
    return FrameView{segment->data(), area, static_cast<std::size_t>(area.width) * kBytesPerPixel};
  }
  return Error{Code::kAborted, "the desktop's size kept changing during a capture"};
}

Result<FrameView> X11Screen::capture() {
  constexpr int kEverything = 1 << 16;
  const Rect everything{0, 0, kEverything, kEverything};
  if (!all_reported_) return fetch(frame_, everything);
  RETURN_IF_ERROR(note_changes());  // Before the capture, which shows at least these.
  auto view = fetch(frame_, everything);
  if (view) view->generation = history_.now();
  return view;
}

Result<FrameView> X11Screen::capture_area(const Rect& area) { return fetch(part_, area); }

Result<void> X11Screen::note_changes() {
  ASSIGN_OR_RETURN(const std::vector<Rect> areas, drawn_.take());
  while (changes_->pending_event()) {  // They only say that there is something to take.
  }
  history_.add(areas);
  return ok();
}

Result<std::optional<std::vector<Rect>>> X11Screen::changed_since(std::uint64_t generation) {
  if (!all_reported_) return std::optional<std::vector<Rect>>();
  RETURN_IF_ERROR(note_changes());
  return history_.since(generation);
}

Result<std::unique_ptr<DrawingWatch>> X11Screen::watch_drawing() {
  return X11DrawingWatch::open(connection_->display(), connection_->clock(), overlay_);
}

Result<Point> X11Screen::cursor() {
  const auto cookie = xcb_query_pointer(connection_->get(), connection_->root());
  ASSIGN_OR_RETURN(const auto pointer, connection_->reply(xcb_query_pointer_reply, cookie, "find the cursor"));
  return Point{pointer->root_x, pointer->root_y};
}

Result<CursorShape> X11Screen::cursor_shape() {
  const auto cookie = xcb_xfixes_get_cursor_image_and_name(connection_->get());
  ASSIGN_OR_RETURN(const auto image, connection_->reply(xcb_xfixes_get_cursor_image_and_name_reply, cookie,
                                                        "ask for the cursor's shape"));
  const auto length = static_cast<std::size_t>(xcb_xfixes_get_cursor_image_and_name_name_length(image.get()));
  return shape_of_cursor({xcb_xfixes_get_cursor_image_and_name_name(image.get()), length});
}

}  // namespace da::actuator::x11
