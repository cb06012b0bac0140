#include "lib/bus/topics.h"

#include <array>

#include "da/v1/history.pb.h"
#include "da/v1/model.pb.h"
#include "da/v1/observation.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/pause.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::bus {

const v1::Topic* topic_of(const google::protobuf::Descriptor& type) {
  if (!type.options().HasExtension(v1::topic)) return nullptr;
  return &type.options().GetExtension(v1::topic);
}

const std::vector<const google::protobuf::Descriptor*>& all_facts() {
  static const std::vector<const google::protobuf::Descriptor*> facts = [] {
    const std::array files = {v1::Observation::descriptor()->file(), v1::Plan::descriptor()->file(),
                              v1::TaskEnded::descriptor()->file(),   v1::Verdict::descriptor()->file(),
                              v1::Outcome::descriptor()->file(),     v1::Pause::descriptor()->file(),
                              v1::ModelCall::descriptor()->file(),   v1::TaskOpened::descriptor()->file()};
    std::vector<const google::protobuf::Descriptor*> found;
    for (const auto* file : files) {
      for (int i = 0; i < file->message_type_count(); ++i) {
        if (topic_of(*file->message_type(i)) != nullptr) found.push_back(file->message_type(i));
      }
    }
    return found;
  }();
  return facts;
}

const google::protobuf::Descriptor* fact_of(std::string_view topic) {
  for (const auto* fact : all_facts()) {
    if (topic_of(*fact)->name() == topic) return fact;
  }
  return nullptr;
}

std::vector<std::string> all_topics(Images images) {
  std::vector<std::string> names;
  for (const auto* fact : all_facts()) {
    const v1::Topic& topic = *topic_of(*fact);
    if (!topic.image() || images == Images::kWith) names.push_back(topic.name());
  }
  return names;
}

std::vector<std::string> shown_topics(Images images) {
  std::vector<std::string> names = all_topics(images);
  std::erase_if(names, [](const std::string& name) { return topic_of(*fact_of(name))->record(); });
  return names;
}

}  // namespace da::bus
