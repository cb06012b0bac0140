#include "services/console/recordings/message_fields.h"

namespace da::console {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

}  // namespace

std::string text_field(const Message& message, const std::string& name) {
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
  const bool is_text =
      field != nullptr && !field->is_repeated() && field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  return is_text ? message.GetReflection()->GetString(message, field) : "";
}

std::vector<std::string> text_fields(const Message& message, const std::string& list, const std::string& name) {
  std::vector<std::string> texts;
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(list);
  if (field == nullptr || !field->is_repeated() || field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return texts;
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
    texts.push_back(text_field(reflection.GetRepeatedMessage(message, field, i), name));
  }
  return texts;
}

void for_each_bytes(const Message& message, const std::function<void(const std::string& value)>& take) {
  const auto& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const int size = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < size; ++i) {
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        for_each_bytes(field->is_repeated() ? reflection.GetRepeatedMessage(message, field, i)
                                            : reflection.GetMessage(message, field),
                       take);
      } else if (field->type() == FieldDescriptor::TYPE_BYTES) {
        std::string scratch;
        take(field->is_repeated() ? reflection.GetRepeatedStringReference(message, field, i, &scratch)
                                  : reflection.GetStringReference(message, field, &scratch));
      }
    }
  }
}

}  // namespace da::console
