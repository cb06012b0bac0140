// Schemas of protobuf messages as MCAP holds them: serialised FileDescriptorSets, imports first. Pure; any thread.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

namespace da::recording {

// Only what the type needs: a recording has a schema for each of its types, and twice.
std::string schema_of(const google::protobuf::Descriptor& type);

// The whole files of these types and all files that they import, with our options.
std::string whole_files_of(const std::vector<const google::protobuf::Descriptor*>& types);

}  // namespace da::recording
