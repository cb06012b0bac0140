// The topic catalogue, from the messages' options (proto/da/v1/topic.proto): C++ names no topics. Any thread.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <vector>

#include "da/v1/topic.pb.h"

namespace da::bus {

// nullptr if the message is not a fact.
const v1::Topic* topic_of(const google::protobuf::Descriptor& type);

template <class Fact>
const std::string& topic_name() {
  return topic_of(*Fact::descriptor())->name();
}

// All facts, in the order of the proto files.
const std::vector<const google::protobuf::Descriptor*>& all_facts();

// The message type of a topic; nullptr if unknown.
const google::protobuf::Descriptor* fact_of(std::string_view topic);

// All topic names of the fact lane, or of both lanes.
enum class Images { kWithout, kWith };
std::vector<std::string> all_topics(Images images);
// Those that a console shows: without the facts that are only for the record.
std::vector<std::string> shown_topics(Images images);

}  // namespace da::bus
