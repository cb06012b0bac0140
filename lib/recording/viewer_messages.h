// Messages by which a general MCAP viewer shows a recording without knowing our schemas: screenshots as
// foxglove.CompressedImage, what steps aim at as foxglove.ImageAnnotations, log lines as foxglove.Log. Not thread-safe.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/recording/recorded_fact.h"

namespace da::recording {

struct ViewerMessage {
  std::string topic;  // "screen", "screen.targets" or "log"
  const google::protobuf::Descriptor* type = nullptr;
  std::string data;       // The serialised message of this type,
  std::string_view rest;  // and its end, in the fact's payload: an image is not copied.
};

class ViewerMessages {
 public:
  // Those of one fact, often none. Annotations are in pixels of the last observation's image.
  std::vector<ViewerMessage> of(const RecordedFact& fact);

 private:
  v1::CoordinateContract coordinates_;  // Coordinates of the last observation with an image.
};

}  // namespace da::recording
