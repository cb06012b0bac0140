// Schemas of protobuf messages as MCAP holds them: serialised FileDescriptorSets. Pure; any thread.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

namespace da::recording {

// The files of these types and all files that they import, imports first.
std::string schema_of(const std::vector<const google::protobuf::Descriptor*>& types);

}  // namespace da::recording
