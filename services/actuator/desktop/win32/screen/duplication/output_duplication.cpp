#include "services/actuator/desktop/win32/screen/duplication/output_duplication.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace da::actuator::win32 {
namespace {

// One update takes several frames when moves of the cursor come in between.
constexpr int kFramesInOneUpdate = 8;
// More areas than this are copied as the rectangle around them.
constexpr std::size_t kMaxAreas = 256;
constexpr UINT kMaxMetadataBytes = 1 << 20;

Error failed(std::string_view attempted, HRESULT number, Code code) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08lx", static_cast<unsigned long>(number));
  return {code, std::string(attempted) + ": " + text};
}

Rect rect_of(const RECT& r) { return {r.left, r.top, r.right - r.left, r.bottom - r.top}; }

bool is_turned(DXGI_MODE_ROTATION rotation) {
  return rotation == DXGI_MODE_ROTATION_ROTATE90 || rotation == DXGI_MODE_ROTATION_ROTATE270;
}

// Reads an array of a frame's metadata.
template <class Item, class Get>
Result<std::vector<Item>> read_items(UINT bytes, const Get& get) {
  std::vector<Item> items(std::min(bytes, kMaxMetadataBytes) / sizeof(Item));
  UINT used = static_cast<UINT>(items.size() * sizeof(Item));
  const HRESULT got = get(used, items.data(), &used);
  if (FAILED(got)) return failed("ask what has changed on a monitor", got, Code::kUnavailable);
  items.resize(std::min<std::size_t>(items.size(), used / sizeof(Item)));
  return items;
}

}  // namespace

// Gives the frame back to Windows at its end.
class OutputDuplication::HeldFrame {
 public:
  explicit HeldFrame(IDXGIOutputDuplication* duplication) : duplication_(duplication) {}
  ~HeldFrame() { duplication_->ReleaseFrame(); }
  HeldFrame(const HeldFrame&) = delete;
  HeldFrame& operator=(const HeldFrame&) = delete;

 private:
  IDXGIOutputDuplication* duplication_;
};

Result<std::unique_ptr<OutputDuplication>> OutputDuplication::open(const DxgiOutput& output) {
  DXGI_OUTPUT_DESC place{};
  if (const HRESULT got = output.output->GetDesc(&place); FAILED(got)) {
    return failed("find the place of a monitor", got, Code::kUnavailable);
  }
  const Rect area = rect_of(place.DesktopCoordinates);
  if (area.empty()) return Error{Code::kUnavailable, "duplicate a monitor: it shows no part of the desktop"};
  ComPtr<IDXGIOutputDuplication> duplication;
  const HRESULT made = output.output->DuplicateOutput(output.reader->device(), duplication.receive());
  const bool never = made == E_NOTIMPL || made == E_NOINTERFACE || made == DXGI_ERROR_UNSUPPORTED;
  if (FAILED(made)) return failed("duplicate a monitor", made, never ? Code::kUnimplemented : Code::kUnavailable);
  DXGI_OUTDUPL_DESC desc{};
  duplication->GetDesc(&desc);
  return std::unique_ptr<OutputDuplication>(
      new OutputDuplication(output.reader, std::move(duplication), area, desc.Rotation));
}

OutputDuplication::OutputDuplication(std::shared_ptr<ImageReader> reader, ComPtr<IDXGIOutputDuplication> duplication,
                                     const Rect& area, DXGI_MODE_ROTATION rotation)
    : reader_(std::move(reader)),
      duplication_(std::move(duplication)),
      area_(area),
      rotation_(rotation),
      image_{0, 0, is_turned(rotation) ? area.height : area.width, is_turned(rotation) ? area.width : area.height} {}

Result<std::vector<Rect>> OutputDuplication::update(DesktopPixels& desktop) {
  std::vector<Rect> changed;
  for (int i = 0; i < kFramesInOneUpdate; ++i) {
    DXGI_OUTDUPL_FRAME_INFO frame{};
    ComPtr<IDXGIResource> image;
    const HRESULT acquired = duplication_->AcquireNextFrame(0, &frame, image.receive());
    if (acquired == DXGI_ERROR_WAIT_TIMEOUT) break;
    if (FAILED(acquired)) return failed("take a monitor's next frame", acquired, Code::kUnavailable);
    const HeldFrame held(duplication_.get());
    if (frame.LastPresentTime.QuadPart == 0) continue;  // Only the cursor has moved or changed.
    ASSIGN_OR_RETURN(const std::vector<Rect> areas, changed_in_image(frame));
    if (areas.empty()) continue;
    RETURN_IF_ERROR(reader_->read(image.get(), image_.width, image_.height, areas,
                                  [&](const std::uint8_t* pixels, std::size_t stride) {
                                    for (const Rect& part : areas) copy(part, pixels, stride, desktop);
                                  }));
    has_image_ = true;
    for (const Rect& part : areas) changed.push_back(intersection(place_of(part), desktop.area));
  }
  return changed;
}

// The image has its final content already, so the destination of a moved rectangle is just another changed area.
Result<std::vector<Rect>> OutputDuplication::changed_in_image(const DXGI_OUTDUPL_FRAME_INFO& frame) {
  if (!has_image_ || frame.TotalMetadataBufferSize == 0) return std::vector<Rect>{image_};
  const UINT bytes = frame.TotalMetadataBufferSize;
  ASSIGN_OR_RETURN(const auto moves, read_items<DXGI_OUTDUPL_MOVE_RECT>(bytes, [this](UINT size, auto* to, UINT* used) {
                     return duplication_->GetFrameMoveRects(size, to, used);
                   }));
  ASSIGN_OR_RETURN(const auto dirty, read_items<RECT>(bytes, [this](UINT size, auto* to, UINT* used) {
                     return duplication_->GetFrameDirtyRects(size, to, used);
                   }));
  std::vector<Rect> areas;
  const auto add = [&](const RECT& rect) {
    const Rect part = intersection(rect_of(rect), image_);
    if (!part.empty()) areas.push_back(part);
  };
  for (const DXGI_OUTDUPL_MOVE_RECT& move : moves) add(move.DestinationRect);
  for (const RECT& rect : dirty) add(rect);
  if (areas.size() <= kMaxAreas) return areas;
  Rect all;
  for (const Rect& area : areas) all = bounding(all, area);
  return std::vector<Rect>{all};
}

Rect OutputDuplication::place_of(const Rect& part) const {
  const Rect& a = area_;
  switch (rotation_) {
    case DXGI_MODE_ROTATION_ROTATE90: return {a.right() - part.bottom(), a.y + part.x, part.height, part.width};
    case DXGI_MODE_ROTATION_ROTATE180:
      return {a.right() - part.right(), a.bottom() - part.bottom(), part.width, part.height};
    case DXGI_MODE_ROTATION_ROTATE270: return {a.x + part.y, a.bottom() - part.right(), part.height, part.width};
    default: return {a.x + part.x, a.y + part.y, part.width, part.height};
  }
}

void OutputDuplication::copy(const Rect& part, const std::uint8_t* pixels, std::size_t stride,
                             DesktopPixels& desktop) const {
  const bool upright = rotation_ == DXGI_MODE_ROTATION_IDENTITY || rotation_ == DXGI_MODE_ROTATION_UNSPECIFIED;
  for (int y = part.y; y < part.bottom(); ++y) {
    const std::uint8_t* from = pixels + static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(part.x) * 4;
    if (upright) {
      const Rect row = place_of({part.x, y, part.width, 1});
      const Rect shown = intersection(row, desktop.area);
      if (shown.empty()) continue;
      std::memcpy(desktop.at(shown.x, shown.y), from + static_cast<std::size_t>(shown.x - row.x) * 4,
                  static_cast<std::size_t>(shown.width) * 4);
      continue;
    }
    for (int x = part.x; x < part.right(); ++x, from += 4) {
      const Rect pixel = place_of({x, y, 1, 1});
      if (desktop.area.contains({pixel.x, pixel.y})) std::memcpy(desktop.at(pixel.x, pixel.y), from, 4);
    }
  }
}

}  // namespace da::actuator::win32
