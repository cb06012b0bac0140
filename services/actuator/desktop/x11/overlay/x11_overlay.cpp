#include "services/actuator/desktop/x11/overlay/x11_overlay.h"

#include <xcb/composite.h>
#include <xcb/damage.h>
#include <xcb/xfixes.h>

#include <algorithm>
#include <cmath>

#include "services/actuator/desktop/overlay_layout.h"
#include "services/actuator/desktop/x11/screen/screen_layout.h"

namespace da::actuator::x11 {
namespace {

constexpr char kWindowName[] = "DesktopAssist overlay";
constexpr std::uint32_t kAbove = XCB_STACK_MODE_ABOVE;

Error cannot(const std::string& why) {
  return {Code::kUnimplemented,
          "the overlay cannot be kept out of captures on this display, so it is not shown: " + why};
}

xcb_rectangle_t to_xcb(const Rect& rect) {
  return {static_cast<std::int16_t>(rect.x), static_cast<std::int16_t>(rect.y), static_cast<std::uint16_t>(rect.width),
          static_cast<std::uint16_t>(rect.height)};
}

int screen_number(const Connection& connection) {
  int number = 0;
  for (auto each = xcb_setup_roots_iterator(xcb_get_setup(connection.get())); each.rem > 0; xcb_screen_next(&each)) {
    if (each.data->root == connection.root()) break;
    ++number;
  }
  return number;
}

Canvas draw_banner(TextPainter& text, const std::vector<OverlayLine>& lines, double scale) {
  const int padding = static_cast<int>(std::lround(kBannerPadding * scale));
  int width = 0;
  for (const OverlayLine& line : lines) width = std::max(width, text.width_of(line.text));
  const int height = static_cast<int>(lines.size()) * text.line_height();
  Canvas canvas(width + 2 * padding, height + padding, kBannerColour);
  int y = padding / 2;
  for (const OverlayLine& line : lines) {
    text.draw(line.text, padding, y, line.colour, canvas);
    y += text.line_height();
  }
  return canvas;
}

// Leaves out the desktop's outermost pixels: a window that covers the whole screen could be a screen locker's.
Rect inside(const Rect& desktop) { return {desktop.x + 1, desktop.y + 1, desktop.width - 2, desktop.height - 2}; }

}  // namespace

// Nothing else may happen in between: damage that arrived after the union would be lost.
void take_damage(Connection& connection, const WatchedDamage& watched, std::uint32_t region) {
  xcb_connection_t* const x = connection.get();
  xcb_grab_server(x);
  xcb_damage_subtract(x, watched.damage, XCB_NONE, region);
  xcb_xfixes_union_region(x, region, watched.kept, region);
  xcb_xfixes_set_region(x, watched.kept, 0, nullptr);
  xcb_ungrab_server(x);
}

Result<std::unique_ptr<X11Overlay>> X11Overlay::open(std::shared_ptr<Connection> connection) {
  std::unique_ptr<X11Overlay> overlay(new X11Overlay(std::move(connection)));
  if (auto prepared = overlay->prepare(); !prepared) {
    RETURN_IF_ERROR(overlay->connection_->alive());
    overlay->unavailable_ = cannot(prepared.error().message);
  }
  return overlay;
}

X11Overlay::~X11Overlay() { hide(); }

Result<void> X11Overlay::prepare() {
  Connection& connection = *connection_;
  xcb_connection_t* const x = connection.get();
  const auto* fixes = connection.extension(xcb_xfixes_id);
  if (fixes == nullptr || connection.extension(xcb_composite_id) == nullptr ||
      connection.extension(xcb_damage_id) == nullptr) {
    return Error{Code::kUnimplemented, "the X server has no Composite, DAMAGE or XFIXES extension"};
  }
  selection_event_ = static_cast<std::uint8_t>(fixes->first_event + XCB_XFIXES_SELECTION_NOTIFY);
  // The server takes requests of an extension only after its version was asked.
  const auto fixes_version = xcb_xfixes_query_version(x, 2, 0);
  const auto composite_version = xcb_composite_query_version(x, 0, 2);
  const auto damage_version = xcb_damage_query_version(x, 1, 1);
  RETURN_IF_ERROR(connection.reply(xcb_xfixes_query_version_reply, fixes_version, "ask the version of XFIXES"));
  RETURN_IF_ERROR(
      connection.reply(xcb_composite_query_version_reply, composite_version, "ask the version of Composite"));
  RETURN_IF_ERROR(connection.reply(xcb_damage_query_version_reply, damage_version, "ask the version of DAMAGE"));
  ASSIGN_OR_RETURN(manager_, connection.atom("_NET_WM_CM_S" + std::to_string(screen_number(connection))));
  xcb_xfixes_select_selection_input(x, connection.root(), manager_,
                                    XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER |
                                        XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_WINDOW_DESTROY |
                                        XCB_XFIXES_SELECTION_EVENT_MASK_SELECTION_CLIENT_CLOSE);
  for (std::uint32_t* region : {&nothing_, &banner_region_, &outline_region_, &damaged_}) {
    *region = xcb_generate_id(x);
    xcb_xfixes_create_region(x, *region, 0, nullptr);
  }
  ASSIGN_OR_RETURN(lock_probe_, LockProbe::open(connection));
  return create_windows();
}

Result<void> X11Overlay::create_windows() {
  Connection& connection = *connection_;
  xcb_connection_t* const x = connection.get();
  xcb_void_cookie_t made{};
  for (xcb_window_t* window : {&banner_, &outline_}) {
    *window = xcb_generate_id(x);
    const std::uint32_t values[] = {window == &banner_ ? kBannerColour : kMarkerColour, 1};
    made = xcb_create_window_checked(x, XCB_COPY_FROM_PARENT, *window, connection.root(), 0, 0, 1, 1, 0,
                                     XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
                                     XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values);
    RETURN_IF_ERROR(connection.check(made, "create a window of the overlay"));
    xcb_change_property(x, XCB_PROP_MODE_REPLACE, *window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8,
                        sizeof(kWindowName) - 1, kWindowName);
    xcb_xfixes_set_window_shape_region(x, *window, XCB_SHAPE_SK_INPUT, 0, 0, nothing_);
    xcb_xfixes_set_window_shape_region(x, *window, XCB_SHAPE_SK_BOUNDING, 0, 0, nothing_);
  }
  context_ = xcb_generate_id(x);
  return connection.check(xcb_create_gc_checked(x, context_, banner_, 0, nullptr), "draw the overlay");
}

Result<void> X11Overlay::can_show() {
  if (unavailable_) return *unavailable_;
  ASSIGN_OR_RETURN(const xcb_window_t manager, connection_->selection_owner(manager_));
  ASSIGN_OR_RETURN(const auto locker, lock_probe_->locker());
  if (locker) return Error{Code::kFailedPrecondition, "not shown while " + *locker + " locks the screen"};
  const std::lock_guard lock(mutex_);
  managed_ = manager != XCB_NONE;
  if (managed_) return cannot("a compositing manager paints it");
  return ok();
}

Result<void> X11Overlay::show(const OverlayContent& content) {
  const std::lock_guard lock(text_mutex_);
  auto shown = can_show();
  if (shown) shown = paint(content);
  if (!shown) hide();
  return shown;
}

Result<void> X11Overlay::paint(const OverlayContent& content) {
  ASSIGN_OR_RETURN(const Layout layout, read_layout(*connection_));
  const double scale = banner_scale(layout.monitors, content.marker);
  const int text_pixels = static_cast<int>(std::lround(kOverlayTextPixels * scale));
  if (!text_ || text_pixels_ != text_pixels) {
    ASSIGN_OR_RETURN(text_, TextPainter::open(text_pixels));
    text_pixels_ = text_pixels;
  }
  const Canvas canvas = draw_banner(*text_, overlay_lines(content), scale);
  const Rect banner = place_banner({canvas.width, canvas.height}, layout.monitors, content.marker);
  std::vector<Rect> bars;
  if (content.marker) bars = marker_bars(*content.marker, inside(layout.desktop));
  xcb_connection_t* const x = connection_->get();
  xcb_void_cookie_t redirected{};
  const std::lock_guard lock(mutex_);
  const bool appears = !visible_;
  without_damage([&] {
    if (appears) {
      redirected = xcb_composite_redirect_subwindows_checked(x, connection_->root(), XCB_COMPOSITE_REDIRECT_AUTOMATIC);
    }
    set_banner(canvas);
    place(banner_, banner_region_, {banner});
    place(outline_, outline_region_, bars);
    set_shape(banner_, banner_region_);
    set_shape(outline_, outline_region_);
    xcb_map_window(x, banner_);
    xcb_map_window(x, outline_);
  });
  visible_ = true;
  banner_place_ = banner;
  bars_ = std::move(bars);
  if (!appears) return connection_->alive();
  auto kept = connection_->check(redirected, "keep the windows in memory");
  if (!kept) return cannot(kept.error().message);
  return kept;
}

// The window covers the parts; the region is its shape.
void X11Overlay::place(xcb_window_t window, std::uint32_t region, const std::vector<Rect>& parts) {
  Rect whole;
  for (const Rect& part : parts) whole = bounding(whole, part);
  std::vector<xcb_rectangle_t> shape;
  for (const Rect& part : parts) {
    shape.push_back(to_xcb({part.x - whole.x, part.y - whole.y, part.width, part.height}));
  }
  xcb_connection_t* const x = connection_->get();
  xcb_xfixes_set_region(x, region, static_cast<std::uint32_t>(shape.size()), shape.data());
  const std::uint32_t values[] = {static_cast<std::uint32_t>(whole.x), static_cast<std::uint32_t>(whole.y),
                                  static_cast<std::uint32_t>(std::max(whole.width, 1)),
                                  static_cast<std::uint32_t>(std::max(whole.height, 1)), kAbove};
  xcb_configure_window(x, window,
                       XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT |
                           XCB_CONFIG_WINDOW_STACK_MODE,
                       values);
}

// As the window's background, which the server paints whenever the window appears.
void X11Overlay::set_banner(const Canvas& canvas) {
  xcb_connection_t* const x = connection_->get();
  const auto width = static_cast<std::uint16_t>(canvas.width);
  const xcb_pixmap_t pixmap = xcb_generate_id(x);
  const std::uint8_t depth = connection_->screen().root_depth;
  xcb_create_pixmap(x, depth, pixmap, connection_->root(), width, static_cast<std::uint16_t>(canvas.height));
  // The length of a request is limited.
  constexpr std::size_t kHeaderBytes = 64;
  const std::size_t row_bytes = static_cast<std::size_t>(canvas.width) * sizeof(std::uint32_t);
  const std::size_t limit = static_cast<std::size_t>(xcb_get_maximum_request_length(x)) * 4 - kHeaderBytes;
  const int rows = static_cast<int>(std::max<std::size_t>(1, limit / row_bytes));
  for (int y = 0; y < canvas.height; y += rows) {
    const int count = std::min(rows, canvas.height - y);
    const std::uint32_t* first =
        canvas.pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(canvas.width);
    xcb_put_image(x, XCB_IMAGE_FORMAT_Z_PIXMAP, pixmap, context_, width, static_cast<std::uint16_t>(count), 0,
                  static_cast<std::int16_t>(y), 0, depth,
                  static_cast<std::uint32_t>(static_cast<std::size_t>(count) * row_bytes),
                  reinterpret_cast<const std::uint8_t*>(first));
  }
  xcb_change_window_attributes(x, banner_, XCB_CW_BACK_PIXMAP, &pixmap);
  xcb_free_pixmap(x, pixmap);
  xcb_clear_area(x, 0, banner_, 0, 0, 0, 0);
}

void X11Overlay::set_shape(xcb_window_t window, std::uint32_t region) {
  xcb_xfixes_set_window_shape_region(connection_->get(), window, XCB_SHAPE_SK_BOUNDING, 0, 0, region);
}

// Other clients must not draw in between, because the damage of that would be dropped too. The server composes the
// screen late: reading a pixel makes it do so before the damage is dropped.
void X11Overlay::without_damage(const std::function<void()>& draw) {
  xcb_connection_t* const x = connection_->get();
  xcb_grab_server(x);
  for (const WatchedDamage& each : watched_) {
    xcb_damage_subtract(x, each.damage, XCB_NONE, damaged_);
    xcb_xfixes_union_region(x, each.kept, damaged_, each.kept);
  }
  draw();
  constexpr std::uint32_t kAllPlanes = ~0U;
  const auto pixel = xcb_get_image(x, XCB_IMAGE_FORMAT_Z_PIXMAP, connection_->root(), 0, 0, 1, 1, kAllPlanes);
  xcb_discard_reply(x, pixel.sequence);
  for (const WatchedDamage& each : watched_) xcb_damage_subtract(x, each.damage, XCB_NONE, XCB_NONE);
  xcb_ungrab_server(x);
  connection_->flush();
}

void X11Overlay::hide() {
  if (unavailable_) return;
  const std::lock_guard lock(mutex_);
  if (visible_) hide_windows();
}

void X11Overlay::hide_windows() {
  xcb_connection_t* const x = connection_->get();
  without_damage([&] {
    xcb_unmap_window(x, banner_);
    xcb_unmap_window(x, outline_);
    xcb_composite_unredirect_subwindows(x, connection_->root(), XCB_COMPOSITE_REDIRECT_AUTOMATIC);
  });
  visible_ = false;
  banner_place_ = {};
  bars_.clear();
}

// Also drops the errors of requests that nobody waits for.
void X11Overlay::notice_manager() {
  while (const EventPtr event = connection_->pending_event()) {
    if (event_type(*event) != selection_event_) continue;
    const auto& changed = reinterpret_cast<const xcb_xfixes_selection_notify_event_t&>(*event);
    if (changed.selection == manager_) managed_ = changed.owner != XCB_NONE;
  }
  if (managed_ && visible_) hide_windows();
}

void X11Overlay::hide_during(const Rect& area, const std::function<void()>& capture) {
  const std::lock_guard lock(mutex_);
  notice_manager();
  const auto touches = [&](const Rect& each) { return !intersection(each, area).empty(); };
  const bool banner = touches(banner_place_);
  const bool outline = std::ranges::any_of(bars_, touches);
  if (!banner && !outline) return capture();
  // Each change of a shape costs about as much as a small capture.
  without_damage([&] {
    if (banner) set_shape(banner_, nothing_);
    if (outline) set_shape(outline_, nothing_);
    capture();
    if (banner) set_shape(banner_, banner_region_);
    if (outline) set_shape(outline_, outline_region_);
  });
}

void X11Overlay::exclude_from(const WatchedDamage& watched) {
  const std::lock_guard lock(mutex_);
  if (!unavailable_) watched_.push_back(watched);
}

void X11Overlay::forget(const WatchedDamage& watched) {
  const std::lock_guard lock(mutex_);
  std::erase_if(watched_, [&](const WatchedDamage& each) { return each.damage == watched.damage; });
}

}  // namespace da::actuator::x11
