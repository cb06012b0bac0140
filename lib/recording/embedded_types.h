// Parses the messages of a recording by the schemas that the recording itself holds, so that recordings of other
// versions can be read. The schemas are hostile: they are checked before use. One thread; messages must not outlive the
// object.
#pragma once

#include <google/protobuf/message.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "da/v1/header.pb.h"
#include "lib/base/result.h"
#include "lib/recording/mcap/mcap_format.h"

namespace da::recording {

class EmbeddedTypes {
 public:
  EmbeddedTypes();
  ~EmbeddedTypes();

  // kDataLoss if the channel or its schema is unknown or unusable, or if the message is not of that type.
  Result<std::unique_ptr<google::protobuf::Message>> parse(const McapDefinitions& definitions,
                                                           const McapMessage& message);

 private:
  struct Type;  // Type of the messages of one schema.
  static Result<std::unique_ptr<Type>> build(const McapSchema& schema);

  std::map<std::uint16_t, Result<std::unique_ptr<Type>>> types_;  // Keyed by schema id.
};

// Field 1 of a fact; nullopt if the message is none.
std::optional<v1::Header> header_of(const google::protobuf::Message& message);

}  // namespace da::recording
