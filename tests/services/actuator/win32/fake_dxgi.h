// COM objects that stand in for DXGI desktop duplication, for the tests of DesktopDuplication. They keep Microsoft's
// rules: a frame is released before the next one is acquired, metadata is read only while a frame is held, changes
// between two frames are accumulated, and after a loss every call fails until the output is duplicated again. The image
// of a rotated monitor is that of its unrotated panel.
#pragma once

#include <windows.h>
// Must be included after windows.h:
#include <dxgi1_2.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "services/actuator/desktop/win32/screen/duplication/dxgi_output.h"
#include "tests/services/actuator/win32/fake_com_object.h"

namespace da::actuator::fake_dxgi {

using win32::ComPtr;

// What a monitor shows. The test owns it and draws on it.
class Monitor {
 public:
  // `place`: on the desktop.
  explicit Monitor(const Rect& place, DXGI_MODE_ROTATION rotation = DXGI_MODE_ROTATION_IDENTITY)
      : place(place), rotation(rotation) {
    const bool turned = rotation == DXGI_MODE_ROTATION_ROTATE90 || rotation == DXGI_MODE_ROTATION_ROTATE270;
    width = turned ? place.height : place.width;
    height = turned ? place.width : place.height;
    image.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
    dirty = {{0, 0, width, height}};
  }

  // Draws on the panel, in pixels of its image.
  void draw(const Rect& part, std::uint32_t colour) {
    for (int y = part.y; y < part.bottom(); ++y)
      for (int x = part.x; x < part.right(); ++x) pixel(x, y) = colour;
    dirty.push_back({part.x, part.y, part.right(), part.bottom()});
  }
  // Scrolls a part of the panel, which Windows reports as a move, not as a dirty rectangle.
  void move(const Rect& from, Point to) {
    const auto before = image;
    for (int y = 0; y < from.height; ++y)
      for (int x = 0; x < from.width; ++x) pixel(to.x + x, to.y + y) = before[index(from.x + x, from.y + y)];
    moves.push_back({{from.x, from.y}, {to.x, to.y, to.x + from.width, to.y + from.height}});
  }
  void move_cursor() { cursor_moved = true; }
  // Ends all duplications, as a change of the mode does.
  void lose() { ++losses; }

  std::uint32_t& pixel(int x, int y) { return image[index(x, y)]; }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }

  Rect place;
  DXGI_MODE_ROTATION rotation;
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> image;
  std::vector<RECT> dirty;  // Areas drawn since the last frame.
  std::vector<DXGI_OUTDUPL_MOVE_RECT> moves;
  bool cursor_moved = false;
  int losses = 0;
  HRESULT refuses = S_OK;   // What DuplicateOutput answers.
  HRESULT metadata = S_OK;  // What GetFrameDirtyRects answers.
  bool without_metadata = false;
  bool without_image = false;  // No frame comes.
  int duplications = 0;        // Opened so far.
  int violations = 0;          // Calls that Microsoft's rules forbid.
  std::size_t pixels_read = 0;
};

template <class Interface>
using Object = FakeComObject<Interface>;

template <class Interface>
class DxgiObject : public Object<Interface> {
 public:
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID, UINT, const void*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID, const IUnknown*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID, UINT*, void*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetParent(REFIID, void**) override { return E_NOTIMPL; }
};

// The image of one frame: the monitor's pixels when it was acquired.
class Image final : public DxgiObject<IDXGIResource> {
 public:
  Image(Monitor& monitor, int width, int height) : monitor(monitor), width(width), height(height) {}
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID, void**) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetSharedHandle(HANDLE*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetUsage(DXGI_USAGE*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetEvictionPriority(UINT) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetEvictionPriority(UINT*) override { return E_NOTIMPL; }

  Monitor& monitor;
  const int width;
  const int height;
};

class Duplication final : public DxgiObject<IDXGIOutputDuplication> {
 public:
  explicit Duplication(std::shared_ptr<Monitor> monitor) : monitor_(std::move(monitor)), losses_(monitor_->losses) {
    ++monitor_->duplications;
    monitor_->dirty.clear();
    monitor_->moves.clear();
  }
  ~Duplication() override {
    if (held_) ++monitor_->violations;
  }

  void STDMETHODCALLTYPE GetDesc(DXGI_OUTDUPL_DESC* desc) override {
    *desc = {};
    desc->ModeDesc.Width = static_cast<UINT>(monitor_->place.width);
    desc->ModeDesc.Height = static_cast<UINT>(monitor_->place.height);
    desc->Rotation = monitor_->rotation;
  }
  HRESULT STDMETHODCALLTYPE AcquireNextFrame(UINT timeout, DXGI_OUTDUPL_FRAME_INFO* info,
                                             IDXGIResource** image) override {
    *image = nullptr;
    *info = {};
    if (lost()) return DXGI_ERROR_ACCESS_LOST;
    if (held_) {
      ++monitor_->violations;
      return DXGI_ERROR_INVALID_CALL;
    }
    const bool drawn = first_ || !monitor_->dirty.empty() || !monitor_->moves.empty();
    if (timeout != 0) ++monitor_->violations;  // Nobody draws meanwhile: it would be a wait for nothing.
    if ((!drawn && !monitor_->cursor_moved) || monitor_->without_image) return DXGI_ERROR_WAIT_TIMEOUT;
    held_ = true;
    // A move of the cursor arrives as a frame of its own here, before what was drawn.
    if (monitor_->cursor_moved) {
      monitor_->cursor_moved = false;
      info->LastMouseUpdateTime.QuadPart = ++time_;
      dirty_.clear();
      moves_.clear();
    } else {
      first_ = false;
      dirty_ = std::exchange(monitor_->dirty, {});
      moves_ = std::exchange(monitor_->moves, {});
      info->LastPresentTime.QuadPart = ++time_;
      info->AccumulatedFrames = 1;
      info->TotalMetadataBufferSize =
          monitor_->without_metadata
              ? 0
              : static_cast<UINT>(dirty_.size() * sizeof(RECT) + moves_.size() * sizeof(DXGI_OUTDUPL_MOVE_RECT));
    }
    *image = new Image(*monitor_, monitor_->width, monitor_->height);
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE GetFrameDirtyRects(UINT bytes, RECT* to, UINT* needed) override {
    if (FAILED(monitor_->metadata)) return monitor_->metadata;
    return give(dirty_, bytes, to, needed);
  }
  HRESULT STDMETHODCALLTYPE GetFrameMoveRects(UINT bytes, DXGI_OUTDUPL_MOVE_RECT* to, UINT* needed) override {
    return give(moves_, bytes, to, needed);
  }
  HRESULT STDMETHODCALLTYPE GetFramePointerShape(UINT, void*, UINT*, DXGI_OUTDUPL_POINTER_SHAPE_INFO*) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE MapDesktopSurface(DXGI_MAPPED_RECT*) override { return DXGI_ERROR_UNSUPPORTED; }
  HRESULT STDMETHODCALLTYPE UnMapDesktopSurface() override { return DXGI_ERROR_INVALID_CALL; }
  HRESULT STDMETHODCALLTYPE ReleaseFrame() override {
    if (!held_) {
      ++monitor_->violations;
      return DXGI_ERROR_INVALID_CALL;
    }
    held_ = false;
    return lost() ? DXGI_ERROR_ACCESS_LOST : S_OK;
  }

 private:
  bool lost() const { return losses_ != monitor_->losses; }
  template <class Item>
  HRESULT give(const std::vector<Item>& items, UINT bytes, Item* to, UINT* needed) {
    if (!held_) {
      ++monitor_->violations;
      return DXGI_ERROR_INVALID_CALL;
    }
    if (lost()) return DXGI_ERROR_ACCESS_LOST;
    *needed = static_cast<UINT>(items.size() * sizeof(Item));
    if (*needed > bytes) return DXGI_ERROR_MORE_DATA;
    std::copy(items.begin(), items.end(), to);
    return S_OK;
  }

  std::shared_ptr<Monitor> monitor_;
  const int losses_;
  bool first_ = true;
  bool held_ = false;
  LONGLONG time_ = 0;
  std::vector<RECT> dirty_;
  std::vector<DXGI_OUTDUPL_MOVE_RECT> moves_;
};

class Output final : public DxgiObject<IDXGIOutput1> {
 public:
  explicit Output(std::shared_ptr<Monitor> monitor) : monitor_(std::move(monitor)) {}

  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_OUTPUT_DESC* desc) override {
    *desc = {};
    const Rect& place = monitor_->place;
    desc->DesktopCoordinates = {place.x, place.y, place.right(), place.bottom()};
    desc->AttachedToDesktop = TRUE;
    desc->Rotation = monitor_->rotation;
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE DuplicateOutput(IUnknown* device, IDXGIOutputDuplication** duplication) override {
    *duplication = nullptr;
    if (device == nullptr) return E_INVALIDARG;
    if (FAILED(monitor_->refuses)) return monitor_->refuses;
    *duplication = new Duplication(monitor_);
    return S_OK;
  }

  HRESULT STDMETHODCALLTYPE GetDisplayModeList(DXGI_FORMAT, UINT, UINT*, DXGI_MODE_DESC*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE FindClosestMatchingMode(const DXGI_MODE_DESC*, DXGI_MODE_DESC*, IUnknown*) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE WaitForVBlank() override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE TakeOwnership(IUnknown*, BOOL) override { return E_NOTIMPL; }
  void STDMETHODCALLTYPE ReleaseOwnership() override {}
  HRESULT STDMETHODCALLTYPE GetGammaControlCapabilities(DXGI_GAMMA_CONTROL_CAPABILITIES*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetGammaControl(const DXGI_GAMMA_CONTROL*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetGammaControl(DXGI_GAMMA_CONTROL*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE SetDisplaySurface(IDXGISurface*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetDisplaySurfaceData(IDXGISurface*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetFrameStatistics(DXGI_FRAME_STATISTICS*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetDisplayModeList1(DXGI_FORMAT, UINT, UINT*, DXGI_MODE_DESC1*) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE FindClosestMatchingMode1(const DXGI_MODE_DESC1*, DXGI_MODE_DESC1*, IUnknown*) override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE GetDisplaySurfaceData1(IDXGIResource*) override { return E_NOTIMPL; }

 private:
  std::shared_ptr<Monitor> monitor_;
};

// Hands out only the requested areas; all other pixels of its memory are wrong.
class Reader final : public win32::ImageReader {
 public:
  IUnknown* device() override { return device_.get(); }
  Result<void> read(IDXGIResource* resource, int width, int height, std::span<const Rect> areas,
                    const Take& take) override {
    auto& image = *static_cast<Image*>(resource);
    if (image.width != width || image.height != height) return Error{Code::kUnavailable, "the image has another size"};
    const std::size_t stride = static_cast<std::size_t>(width) * 4 + 256;  // Graphics cards pad rows, too.
    std::vector<std::uint8_t> memory(stride * static_cast<std::size_t>(height), 0xee);
    for (const Rect& area : areas) {
      for (int y = area.y; y < area.bottom(); ++y) {
        std::memcpy(memory.data() + static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(area.x) * 4,
                    &image.monitor.pixel(area.x, y), static_cast<std::size_t>(area.width) * 4);
      }
      image.monitor.pixels_read += static_cast<std::size_t>(area.area());
    }
    take(memory.data(), stride);
    return ok();
  }

 private:
  class Device final : public Object<IUnknown> {};
  ComPtr<IUnknown> device_{new Device};
};

}  // namespace da::actuator::fake_dxgi
