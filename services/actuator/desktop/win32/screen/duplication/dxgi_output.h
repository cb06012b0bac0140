// A monitor as DXGI offers it for duplication, and access to the pixels of its image, which lie on the graphics card.
// One thread at a time.
#pragma once

#include <windows.h>
// windows.h must come first:
#include <dxgi1_2.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/win32/base/com_ptr.h"

namespace da::actuator::win32 {

class ImageReader {
 public:
  // Rows of the whole image, BGRX; only the requested areas are valid.
  using Take = std::function<void(const std::uint8_t* pixels, std::size_t stride)>;

  virtual ~ImageReader() = default;
  // The Direct3D device for IDXGIOutput1::DuplicateOutput. Not a new reference.
  virtual IUnknown* device() = 0;
  // Calls `take` once with these areas of an image of `width` x `height` pixels. kUnavailable: the image has another
  // size or format, or the graphics card was reset.
  virtual Result<void> read(IDXGIResource* image, int width, int height, std::span<const Rect> areas,
                            const Take& take) = 0;
};

struct DxgiOutput {
  ComPtr<IDXGIOutput1> output;
  std::shared_ptr<ImageReader> reader;  // Outputs of one graphics card share it.
};

using ListOutputs = std::function<Result<std::vector<DxgiOutput>>()>;

// The outputs of all graphics cards that belong to the desktop, with a Direct3D 11 device for each card. Loads the
// libraries of Windows at the first call. kUnimplemented: this Windows has no Direct3D 11 or no DXGI 1.2.
Result<std::vector<DxgiOutput>> list_dxgi_outputs();

}  // namespace da::actuator::win32
