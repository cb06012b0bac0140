// Makes one Observation: frame, windows, cursor, changes since the last one, UI tree digest and, on request, the image:
// annotated or plain, with numbered marks on usable elements. Any thread; calls are serialized.
#pragma once

#include <optional>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/frames/change.h"
#include "services/observer/frames/frame_cache.h"
#include "services/observer/image/image_encoder.h"
#include "services/observer/image/scale.h"
#include "services/observer/marks/keep_clear.h"

namespace da::observer {

// Has no headers: the publisher fills them in.
struct Observed {
  v1::Observation observation;
  std::optional<v1::ImageFact> image;
};

class ObservationSource {
 public:
  explicit ObservationSource(FrameCache& frames) : frames_(frames) {}

  // Fails without a frame. If only the UI tree cannot be read, the observation has no digest.
  Result<Observed> observe(const v1::ObserveRequest& request);

  // kInvalidArgument if the area is outside the desktop.
  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request);

  // The current UI tree, with element ids of the task; of a list of nameable elements: Locator::nameable().
  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request);

 private:
  Result<v1::UiTree> read_element(const std::string& element_id);
  struct Boxes {  // Image pixels.
    std::vector<Rect> marked;
    std::vector<Rect> disabled;
    KeepClear clear;
  };

  void describe_change(v1::Observation& observation);
  // Also lists the marked elements in the observation.
  Boxes mark(const v1::UiTree& tree, Size size, v1::Observation& observation) const;
  KeepClear keep_clear(const v1::UiTree* tree, Size size) const;
  v1::ImageFact image(const v1::ObserveRequest& request, Size size, const Boxes& boxes);
  v1::ImageFact image_of_canvas(const v1::ImageLimits& limits);

  FrameCache& frames_;
  FrameSummary before_;  // The frame of the previous observation.
  std::vector<std::uint8_t> scaled_;
  Canvas canvas_;
  ImageEncoder encoder_;
};

}  // namespace da::observer
