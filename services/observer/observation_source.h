// Makes one Observation: frame, windows, cursor, what changed since the last one, UI tree digest, and the annotated
// image where it is wanted. Any thread; callers take turns.
#pragma once

#include <optional>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/annotate.h"
#include "services/observer/change.h"
#include "services/observer/png_encoder.h"
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

  // Of the newest UI tree; the task's element ids.
  Result<v1::UiTree> read_ui(const std::string& task_id);

 private:
  void describe_change(v1::Observation& observation);
  v1::ImageFact annotated_image(Size size);
  v1::ImageFact image_of_canvas();

  Sight& sight_;
  FrameSummary before_;  // Of the observation before this one.
  std::vector<std::uint8_t> scaled_;
  Canvas canvas_;
  PngEncoder encoder_;
};

}  // namespace da::observer
