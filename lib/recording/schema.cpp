#include "lib/recording/schema.h"

#include <google/protobuf/descriptor.pb.h>

#include <set>

namespace da::recording {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorProto;
using google::protobuf::EnumDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;

// The top-level messages and enums that a type needs, and their files.
struct Needed {
  std::set<const Descriptor*> messages;
  std::set<const EnumDescriptor*> enums;
  std::set<const FileDescriptor*> files;
};

const Descriptor& outermost(const Descriptor& type) {
  return type.containing_type() == nullptr ? type : outermost(*type.containing_type());
}

void need(const Descriptor& type, Needed& needed);

void need_fields(const Descriptor& type, Needed& needed) {
  for (int i = 0; i < type.field_count(); ++i) {
    if (const auto* message = type.field(i)->message_type()) need(*message, needed);
    const auto* values = type.field(i)->enum_type();
    if (values == nullptr) continue;
    if (values->containing_type() != nullptr) {
      need(*values->containing_type(), needed);
    } else {
      needed.enums.insert(values);
      needed.files.insert(values->file());
    }
  }
  for (int i = 0; i < type.nested_type_count(); ++i) need_fields(*type.nested_type(i), needed);
}

void need(const Descriptor& type, Needed& needed) {
  const Descriptor& whole = outermost(type);
  if (!needed.messages.insert(&whole).second) return;
  needed.files.insert(whole.file());
  need_fields(whole, needed);
}

// Our options (limits of fields, topics) are for programs of this version, which have them anyway.
void drop_options(DescriptorProto& message) {
  const bool is_map = message.options().map_entry();
  message.clear_options();
  if (is_map) message.mutable_options()->set_map_entry(true);
  for (auto& field : *message.mutable_field()) field.clear_options();
  for (auto& nested : *message.mutable_nested_type()) drop_options(nested);
  for (auto& values : *message.mutable_enum_type()) {
    for (auto& value : *values.mutable_value()) value.clear_options();
  }
}

FileDescriptorProto part_of(const FileDescriptor& file, const Needed& needed) {
  FileDescriptorProto part;
  part.set_name(file.name());
  part.set_package(file.package());
  part.set_syntax("proto3");
  for (int i = 0; i < file.dependency_count(); ++i) {
    if (needed.files.contains(file.dependency(i))) part.add_dependency(file.dependency(i)->name());
  }
  for (int i = 0; i < file.message_type_count(); ++i) {
    if (!needed.messages.contains(file.message_type(i))) continue;
    file.message_type(i)->CopyTo(part.add_message_type());
    drop_options(*part.mutable_message_type()->rbegin());
  }
  for (int i = 0; i < file.enum_type_count(); ++i) {
    if (needed.enums.contains(file.enum_type(i))) file.enum_type(i)->CopyTo(part.add_enum_type());
  }
  return part;
}

// Imports first.
template <class Add>
void visit(const FileDescriptor& file, std::set<const FileDescriptor*>& seen, const Add& add) {
  if (!seen.insert(&file).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) visit(*file.dependency(i), seen, add);
  add(file);
}

}  // namespace

std::string schema_of(const Descriptor& type) {
  Needed needed;
  need(type, needed);
  google::protobuf::FileDescriptorSet set;
  std::set<const FileDescriptor*> seen;
  visit(*type.file(), seen, [&](const FileDescriptor& file) {
    if (needed.files.contains(&file)) *set.add_file() = part_of(file, needed);
  });
  return set.SerializeAsString();
}

std::string whole_files_of(const std::vector<const Descriptor*>& types) {
  google::protobuf::FileDescriptorSet set;
  std::set<const FileDescriptor*> seen;
  for (const auto* type : types) {
    visit(*type->file(), seen, [&](const FileDescriptor& file) { file.CopyTo(set.add_file()); });
  }
  return set.SerializeAsString();
}

}  // namespace da::recording
