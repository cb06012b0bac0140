// Pixels of the screen, copied by GDI into memory of ours: a DIB section with 4 bytes a pixel (BGRX), top row first.
//
// Owns the bitmap and its device context. The memory is allocated again only when a larger area is wanted. One thread
// at a time. Errors: kResourceExhausted, kFailedPrecondition (Windows refuses to copy, as on a secure desktop).
#pragma once

#include <cstdint>
#include <memory>

#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/win32/base/handles.h"

namespace da::actuator::win32 {

class FrameBitmap {
 public:
  static constexpr std::size_t kBytesPerPixel = 4;

  // `area`: desktop pixels, not empty. The view is valid until the next copy.
  Result<FrameView> copy(const Rect& area);

 private:
  Result<void> allocate(int width, int height);

  int width_ = 0;  // Size of the bitmap; a copied area may be smaller.
  int height_ = 0;
  std::uint8_t* pixels_ = nullptr;  // Owned by the bitmap.
  UniqueBitmap bitmap_;
  UniqueMemoryDc context_;  // Last member: it must let go of the bitmap before that is deleted.
};

}  // namespace da::actuator::win32
