#include "services/console/recordings/message_json.h"

#include <cmath>

#include "lib/base/id.h"
#include "services/console/base64.h"
#include "services/console/recordings/summary_text.h"

namespace da::console {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Json = nlohmann::ordered_json;

Json bytes_json(const std::string& value, Bytes bytes) {
  constexpr std::size_t kImageHash = 16;
  if (bytes == Bytes::kHash && value.size() > kMaxBase64) {
    return {{"bytes", value.size()}, {"blake2b", to_hex(blake2b(value, kImageHash))}};
  }
  return base64(value);
}

// JSON has no such numbers.
Json real_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json enum_json(const FieldDescriptor& field, int number) {
  const auto* value = field.enum_type()->FindValueByNumber(number);
  if (value == nullptr) return number;
  return value->name();
}

constexpr int kSingular = -1;

// One value of the field. `index`: of a repeated field; else kSingular.
Json value_json(const Message& message, const FieldDescriptor& field, int index, Bytes bytes) {
  const auto& values = *message.GetReflection();
  const bool single = index == kSingular;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return single ? values.GetBool(message, &field) : values.GetRepeatedBool(message, &field, index);
    case FieldDescriptor::CPPTYPE_INT32:
      return single ? values.GetInt32(message, &field) : values.GetRepeatedInt32(message, &field, index);
    case FieldDescriptor::CPPTYPE_UINT32:
      return single ? values.GetUInt32(message, &field) : values.GetRepeatedUInt32(message, &field, index);
    case FieldDescriptor::CPPTYPE_INT64:
      return std::to_string(single ? values.GetInt64(message, &field)
                                   : values.GetRepeatedInt64(message, &field, index));
    case FieldDescriptor::CPPTYPE_UINT64:
      return std::to_string(single ? values.GetUInt64(message, &field)
                                   : values.GetRepeatedUInt64(message, &field, index));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return real_json(single ? values.GetDouble(message, &field) : values.GetRepeatedDouble(message, &field, index));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return real_json(single ? values.GetFloat(message, &field) : values.GetRepeatedFloat(message, &field, index));
    case FieldDescriptor::CPPTYPE_ENUM:
      return enum_json(
          field, single ? values.GetEnumValue(message, &field) : values.GetRepeatedEnumValue(message, &field, index));
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string value = single ? values.GetString(message, &field) : values.GetRepeatedString(message, &field, index);
      if (field.type() == FieldDescriptor::TYPE_BYTES) return bytes_json(value, bytes);
      return value;
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return message_to_json(
          single ? values.GetMessage(message, &field) : values.GetRepeatedMessage(message, &field, index), bytes);
  }
  return nullptr;
}

Json map_json(const Message& message, const FieldDescriptor& field, Bytes bytes) {
  Json entries = Json::object();
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    const Message& entry = reflection.GetRepeatedMessage(message, &field, i);
    const auto* type = field.message_type();
    const Json key = value_json(entry, *type->map_key(), kSingular, bytes);
    entries[key.is_string() ? key.get<std::string>() : key.dump()] =
        value_json(entry, *type->map_value(), kSingular, bytes);
  }
  return entries;
}

}  // namespace

Json message_to_json(const Message& message, Bytes bytes) {
  Json json = Json::object();
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->is_map()) {
      json[field->name()] = map_json(message, *field, bytes);
    } else if (field->is_repeated()) {
      Json list = Json::array();
      for (int i = 0; i < message.GetReflection()->FieldSize(message, field); ++i) {
        list.push_back(value_json(message, *field, i, bytes));
      }
      json[field->name()] = std::move(list);
    } else {
      json[field->name()] = value_json(message, *field, kSingular, bytes);
    }
  }
  return json;
}

Json line_to_json(const std::string& topic, std::uint64_t log_time_ns, const Message& message, Bytes bytes) {
  return {{"topic", topic},
          {"log_time", time_text(log_time_ns)},
          {"log_time_ns", std::to_string(log_time_ns)},
          {"type", message.GetDescriptor()->full_name()},
          {"message", message_to_json(message, bytes)}};
}

Json foreign_line_to_json(const recording::McapChannel& channel, const recording::McapMessage& message,
                          const std::string& problem) {
  Json line{{"topic", channel.topic}, {"log_time", time_text(message.log_time_ns)}};
  if (channel.message_encoding == "json") {
    constexpr bool kAllowExceptions = false;
    constexpr int kDeepest = 200;  // Printing is recursive.
    bool too_deep = false;
    Json parsed = Json::parse(
        message.data,
        [&too_deep](int depth, Json::parse_event_t, Json&) {
          too_deep = too_deep || depth > kDeepest;
          return !too_deep;
        },
        kAllowExceptions);
    if (!too_deep && !parsed.is_discarded()) {
      line["log_time_ns"] = std::to_string(message.log_time_ns);
      line["message"] = std::move(parsed);
      return line;
    }
  }
  line["problem"] = problem;
  return line;
}

}  // namespace da::console
