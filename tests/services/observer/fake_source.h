// A fake desktop with pixels, windows and elements in memory, streamed like the actuator's. A queue has one change for
// each requested frame.
#pragma once

#include <zstd.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/id.h"
#include "lib/frames/tile_decoder.h"
#include "services/observer/frames/desktop_source.h"
#include "services/observer/frames/wire.h"

namespace da::observer {

inline constexpr auto kEnabled = v1::UI_STATE_ENABLED;

inline std::string packed(const std::vector<std::uint8_t>& raw) {
  std::string out(ZSTD_compressBound(raw.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), raw.data(), raw.size(), 1));
  return out;
}

inline v1::UiNode element(const std::string& role, const std::string& name, const Rect& bounds,
                          std::initializer_list<v1::UiState> more = {}) {
  v1::UiNode node;
  node.set_element_id(role + "/" + name);
  node.set_window_id("w1");
  node.set_role(role);
  node.set_name(name);
  node.mutable_bounds()->set_x(bounds.x);
  node.mutable_bounds()->set_y(bounds.y);
  node.mutable_bounds()->set_width(static_cast<std::uint32_t>(bounds.width));
  node.mutable_bounds()->set_height(static_cast<std::uint32_t>(bounds.height));
  node.add_states(v1::UI_STATE_SHOWING);
  for (const auto state : more) node.add_states(state);
  return node;
}

inline v1::Window window(const std::string& id, const Rect& bounds, bool focused) {
  v1::Window window;
  window.set_window_id(id);
  window.set_title(id);
  window.mutable_bounds()->set_x(bounds.x);
  window.mutable_bounds()->set_y(bounds.y);
  window.mutable_bounds()->set_width(static_cast<std::uint32_t>(bounds.width));
  window.mutable_bounds()->set_height(static_cast<std::uint32_t>(bounds.height));
  window.set_focused(focused);
  return window;
}

class FakeSource final : public DesktopSource {
 public:
  FakeSource(const Rect& area, ManualClock& clock)
      : desktop(area),
        pixels(static_cast<std::size_t>(area.area()) * frames::kBytesPerPixel, 0),
        sent_(pixels.size(), 0),
        clock_(clock) {
    windows.push_back(window("w1", area, true));
  }

  Rect desktop;
  std::vector<std::uint8_t> pixels;
  std::vector<v1::Window> windows;
  Point cursor;
  v1::UiTree tree;
  bool settled = true;
  std::deque<std::function<void()>> changes;  // The first one is applied before the next frame.
  std::function<void(v1::FrameChunk&)> tamper = [](v1::FrameChunk&) {};
  std::vector<v1::FramesRequest> requests;
  std::vector<v1::UiTreeRequest> tree_requests;
  std::vector<v1::ElementRequest> element_requests;
  Error tree_error{Code::kUnknown, ""};
  Error element_error{Code::kUnknown, ""};
  std::vector<v1::TextPlacesRequest> text_requests;
  // Bounds of the text ranges, by element id. Other elements do not report text positions.
  std::map<std::string, std::vector<Rect>> text_places;

  void fill(const Rect& area, std::uint8_t value) {
    for (int y = area.y; y < area.bottom(); ++y) {
      for (int x = area.x; x < area.right(); ++x) {
        const auto at = static_cast<std::size_t>(y * desktop.width + x) * frames::kBytesPerPixel;
        std::fill_n(pixels.begin() + static_cast<std::ptrdiff_t>(at), 3, value);
      }
    }
  }

  Result<void> frames(const v1::FramesRequest& request, const TakeChunk& take) override {
    requests.push_back(request);
    clock_.advance(Milliseconds(settled ? request.quiet_ms() : request.max_wait_ms()));
    if (!changes.empty()) {
      changes.front()();
      changes.pop_front();
    }
    for (v1::FrameChunk& chunk : chunks(request.known_frame_id())) {
      tamper(chunk);
      RETURN_IF_ERROR(take(chunk));
    }
    return ok();
  }

  Result<v1::UiTree> read_ui_tree(const v1::UiTreeRequest& request) override {
    tree_requests.push_back(request);
    if (!tree_error.message.empty()) return tree_error;
    return tree;
  }

  Result<v1::UiNode> read_element(const v1::ElementRequest& request) override {
    element_requests.push_back(request);
    if (!element_error.message.empty()) return element_error;
    for (const v1::UiNode& node : tree.nodes()) {
      if (node.element_id() == request.element_id()) return node;
    }
    return Error{Code::kNotFound, "the element is gone"};
  }

  Result<v1::TextPlacesReply> read_text_places(const v1::TextPlacesRequest& request) override {
    text_requests.push_back(request);
    const auto known = text_places.find(request.element_id());
    if (known == text_places.end()) return Error{Code::kUnimplemented, "the element reports no text positions"};
    v1::TextPlacesReply reply;
    for (const Rect& place : known->second) *reply.add_places() = rect_to_wire(place);
    return reply;
  }

  // During the wait, the first of `waits` happens. Without one, nothing does, and the wait ends at its deadline.
  Result<v1::AwaitChangeReply> await_change(const v1::AwaitChangeRequest& request,
                                            const std::stop_token& stop) override {
    awaited.push_back(request);
    if (!waits.empty()) {
      const auto happens = std::move(waits.front());
      waits.pop_front();
      happens();
    }
    if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled"};
    v1::AwaitChangeReply reply;
    const auto differs = [this](const v1::Rect& area) {
      Rect part = rect_from_wire(area);
      part = {part.x - desktop.x, part.y - desktop.y, part.width, part.height};
      return bytes_of(pixels, part) != bytes_of(sent_, part);
    };
    reply.set_changed(drawn_again || request.known_frame_id() != std::to_string(frame_) ||
                      std::ranges::any_of(request.areas(), differs) ||
                      (!request.known_windows().empty() && request.known_windows() != windows_digest()));
    return reply;
  }
  std::vector<v1::AwaitChangeRequest> awaited;
  std::deque<std::function<void()>> waits;
  bool drawn_again = false;  // The same pixels are drawn all the time.

  // The messages for a client that has the frame `known`.
  std::vector<v1::FrameChunk> chunks(const std::string& known) {
    const frames::TileGrid grid{desktop.width, desktop.height};
    const bool key = frame_ == 0 || known != std::to_string(frame_);
    std::vector<v1::FrameChunk> out(1);
    std::vector<std::uint8_t> raw;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < grid.count(); ++i) {
      const Rect area = grid.tile(i);
      if (!key && bytes_of(pixels, area) == bytes_of(sent_, area)) continue;
      if (raw.size() > 400'000) flush(out, raw);
      const auto tile = bytes_of(pixels, area);
      raw.insert(raw.end(), tile.begin(), tile.end());
      auto* entry = out.back().add_tiles();
      entry->set_x(static_cast<std::uint32_t>(area.x));
      entry->set_y(static_cast<std::uint32_t>(area.y));
      entry->set_width(static_cast<std::uint32_t>(area.width));
      entry->set_height(static_cast<std::uint32_t>(area.height));
      ++count;
    }
    if (!raw.empty()) out.back().set_pixels(packed(raw));
    out.back().set_last(true);
    if (count > 0 || key) ++frame_;
    sent_ = pixels;
    fill_head(*out.front().mutable_head(), key, count);
    return out;
  }

 private:
  static void flush(std::vector<v1::FrameChunk>& out, std::vector<std::uint8_t>& raw) {
    out.back().set_pixels(packed(raw));
    raw.clear();
    out.emplace_back();
  }

  std::string windows_digest() const {
    std::string all = "windows";
    for (const auto& each : windows) all += each.SerializeAsString();
    return to_hex(blake2b(all, 16));
  }

  void fill_head(v1::FrameChunk::Head& head, bool key, std::uint32_t count) const {
    head.set_frame_id(std::to_string(frame_));
    head.set_key_frame(key);
    head.set_changed_tiles(count);
    head.set_settled(settled);
    head.mutable_desktop()->set_x(desktop.x);
    head.mutable_desktop()->set_y(desktop.y);
    head.mutable_desktop()->set_width(static_cast<std::uint32_t>(desktop.width));
    head.mutable_desktop()->set_height(static_cast<std::uint32_t>(desktop.height));
    head.mutable_cursor()->set_x(cursor.x);
    head.mutable_cursor()->set_y(cursor.y);
    for (const auto& each : windows) *head.add_windows() = each;
    head.set_windows_digest(windows_digest());
    head.set_changes_reported(true);
  }

  std::vector<std::uint8_t> bytes_of(const std::vector<std::uint8_t>& from, const Rect& area) const {
    std::vector<std::uint8_t> out;
    for (int y = area.y; y < area.bottom(); ++y) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>((y * desktop.width + area.x) * 4);
      out.insert(out.end(), begin, begin + area.width * 4);
    }
    return out;
  }

  std::vector<std::uint8_t> sent_;
  ManualClock& clock_;
  int frame_ = 0;
};

}  // namespace da::observer
