// Makes one Observation: frame, windows, cursor, what changed since the last one, UI tree digest, and where it is
// wanted the image: annotated or plain, with numbered marks on what can be clicked or typed into. Any thread; callers
// take turns.
#pragma once

#include <optional>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/change.h"
#include "services/observer/image_encoder.h"
#include "services/observer/keep_clear.h"
#include "services/observer/scale.h"
#include "services/observer/sight.h"

namespace da::observer {

// No header is filled in: the publisher does that.
struct Observed {
  v1::Observation observation;
  std::optional<v1::ImageFact> image;
};

class ObservationSource {
 public:
  explicit ObservationSource(Sight& sight) : sight_(sight) {}

  // A UI tree that cannot be read leaves its digest empty; a frame that cannot be had is an error.
  Result<Observed> observe(const v1::ObserveRequest& request);

  // kInvalidArgument where nothing of the area is on the desktop.
  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request);

  // The UI tree as it is now, with the task's element ids.
  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request);

 private:
  struct Boxes {  // In pixels of the image.
    std::vector<Rect> marked;
    std::vector<Rect> disabled;
    KeepClear clear;
  };

  void describe_change(v1::Observation& observation);
  // Names the marked elements in the observation.
  Boxes mark(const v1::UiTree& tree, Size size, v1::Observation& observation) const;
  KeepClear keep_clear(const v1::UiTree* tree, Size size) const;
  v1::ImageFact image(const v1::ObserveRequest& request, Size size, const Boxes& boxes);
  v1::ImageFact image_of_canvas(const v1::ImageLimits& limits);

  Sight& sight_;
  FrameSummary before_;  // Of the observation before this one.
  std::vector<std::uint8_t> scaled_;
  Canvas canvas_;
  ImageEncoder encoder_;
};

}  // namespace da::observer
