// The topic catalogue, read from the messages' own options (proto/da/v1/topic.proto). No topic name stands in C++.
// Any thread.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <vector>

#include "da/v1/topic.pb.h"

namespace da::bus {

// Null where the message is not a fact.
const v1::Topic* topic_of(const google::protobuf::Descriptor& type);

template <class Fact>
const std::string& topic_name() {
  return topic_of(*Fact::descriptor())->name();
}

// Every fact that exists, in the order of the proto files.
const std::vector<const google::protobuf::Descriptor*>& all_facts();

// The type that travels under this topic; null where there is none.
const google::protobuf::Descriptor* fact_of(std::string_view topic);

// Names of all topics of the fact lane, or of the image lane as well.
enum class Images { kWithout, kWith };
std::vector<std::string> all_topics(Images images);

}  // namespace da::bus
