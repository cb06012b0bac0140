// One fact of the bus as it was sent. Plain data.
#pragma once

#include <google/protobuf/descriptor.h>

#include <optional>
#include <string>

#include "da/v1/header.pb.h"
#include "lib/bus/transport.h"

namespace da::recording {

struct RecordedFact {
  const google::protobuf::Descriptor* type = nullptr;
  v1::Header header;
  std::string payload;  // The serialised message of this type, with the header.
};

// nullopt if the topic is unknown, the payload does not begin with a header, or the header names another writer or has
// an instance that is no id.
std::optional<RecordedFact> recorded_fact(bus::RawFact raw);

}  // namespace da::recording
