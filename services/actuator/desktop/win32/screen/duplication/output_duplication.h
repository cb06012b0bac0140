// Duplicates the image of one monitor (IDXGIOutputDuplication): Windows tells which areas have changed, and only these
// are copied from the graphics card.
//
// Source: Microsoft's "Desktop Duplication API". Windows ends a duplication at a change of the mode, at a switch to
// another desktop (secure desktop, screen saver) and when a program takes the whole screen: open a new one then. A
// rotated monitor's image and rectangles are those of the unrotated panel. One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "services/actuator/desktop/win32/screen/duplication/dxgi_output.h"

namespace da::actuator::win32 {

// Pixels of the whole desktop, BGRX, which a duplication updates.
struct DesktopPixels {
  Rect area;  // Desktop pixels.
  std::vector<std::uint8_t> bytes;

  std::size_t stride() const { return static_cast<std::size_t>(area.width) * 4; }
  std::uint8_t* at(int x, int y) {
    return bytes.data() + static_cast<std::size_t>(y - area.y) * stride() + static_cast<std::size_t>(x - area.x) * 4;
  }
};

class OutputDuplication {
 public:
  // kUnimplemented: this system or this graphics card cannot duplicate. kUnavailable: not now, as on a secure desktop.
  static Result<std::unique_ptr<OutputDuplication>> open(const DxgiOutput& output);

  // The monitor's place on the desktop.
  const Rect& area() const { return area_; }
  // Copies the changes since the last call into `desktop`, and returns their areas in desktop pixels. kUnavailable: the
  // duplication has ended.
  Result<std::vector<Rect>> update(DesktopPixels& desktop);
  // Windows delivers the first image some time after open(): before it, nothing has been copied.
  bool has_image() const { return has_image_; }

 private:
  class HeldFrame;

  OutputDuplication(std::shared_ptr<ImageReader> reader, ComPtr<IDXGIOutputDuplication> duplication, const Rect& area,
                    DXGI_MODE_ROTATION rotation);
  Result<std::vector<Rect>> changed_in_image(const DXGI_OUTDUPL_FRAME_INFO& frame);
  void copy(const Rect& part, const std::uint8_t* pixels, std::size_t stride, DesktopPixels& desktop) const;
  // The place of a part of the image on the desktop.
  Rect place_of(const Rect& part) const;

  std::shared_ptr<ImageReader> reader_;
  ComPtr<IDXGIOutputDuplication> duplication_;
  Rect area_;
  DXGI_MODE_ROTATION rotation_;
  Rect image_;  // {0, 0, width, height} of the unrotated image.
  bool has_image_ = false;
};

}  // namespace da::actuator::win32
