#include "lib/recording/schema.h"

#include <google/protobuf/descriptor.pb.h>

#include <set>

namespace da::recording {
namespace {

void add_file(const google::protobuf::FileDescriptor& file, std::set<std::string>& added,
              google::protobuf::FileDescriptorSet& set) {
  if (!added.insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) add_file(*file.dependency(i), added, set);
  file.CopyTo(set.add_file());
}

}  // namespace

std::string schema_of(const std::vector<const google::protobuf::Descriptor*>& types) {
  google::protobuf::FileDescriptorSet set;
  std::set<std::string> added;
  for (const auto* type : types) add_file(*type->file(), added, set);
  return set.SerializeAsString();
}

}  // namespace da::recording
