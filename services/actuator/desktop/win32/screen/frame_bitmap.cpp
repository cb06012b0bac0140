#include "services/actuator/desktop/win32/screen/frame_bitmap.h"

#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {

Result<void> FrameBitmap::allocate(int width, int height) {
  const UniqueScreenDc screen(::GetDC(nullptr));
  // The old context lets go of the old bitmap before that is deleted.
  context_ = UniqueMemoryDc(::CreateCompatibleDC(screen.get()));
  bitmap_.reset();
  width_ = height_ = 0;
  if (!context_) return win32_error("create memory for a frame", ::GetLastError());
  BITMAPINFO info{};
  info.bmiHeader.biSize = sizeof info.bmiHeader;
  info.bmiHeader.biWidth = width;
  info.bmiHeader.biHeight = -height;  // Negative: the top row comes first.
  info.bmiHeader.biPlanes = 1;
  info.bmiHeader.biBitCount = 8 * kBytesPerPixel;
  info.bmiHeader.biCompression = BI_RGB;
  void* pixels = nullptr;
  bitmap_ = UniqueBitmap(::CreateDIBSection(context_.get(), &info, DIB_RGB_COLORS, &pixels, nullptr, 0));
  if (!bitmap_ || pixels == nullptr) {
    return Error{Code::kResourceExhausted, "create memory for a frame of " + std::to_string(width) + "x" +
                                               std::to_string(height) + " pixels: Windows has none"};
  }
  ::SelectObject(context_.get(), bitmap_.get());
  pixels_ = static_cast<std::uint8_t*>(pixels);
  width_ = width;
  height_ = height;
  return ok();
}

Result<FrameView> FrameBitmap::copy(const Rect& area) {
  if (area.width > width_ || area.height > height_) {
    RETURN_IF_ERROR(allocate(std::max(area.width, width_), std::max(area.height, height_)));
  }
  const UniqueScreenDc screen(::GetDC(nullptr));
  if (!screen || !::BitBlt(context_.get(), 0, 0, area.width, area.height, screen.get(), area.x, area.y, SRCCOPY)) {
    Error error = win32_error("capture the screen", ::GetLastError());
    error.code = Code::kFailedPrecondition;
    return error;
  }
  ::GdiFlush();  // The batch of this thread must be done before the memory is read.
  return FrameView{pixels_, area, static_cast<std::size_t>(width_) * kBytesPerPixel};
}

}  // namespace da::actuator::win32
