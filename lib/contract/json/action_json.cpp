#include "lib/contract/json/action_json.h"

#include <utility>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/json/strict_json.h"

namespace da::contract {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using nlohmann::json;

Error wrong_type(const std::string& where, const json& given, const std::string& allowed) {
  return {Code::kInvalidArgument, where + " must be " + allowed + ", but " + name_value(given) + " was given"};
}

std::vector<std::string> argument_names(const google::protobuf::Descriptor& type) {
  std::vector<std::string> names;
  for (int i = 0; i < type.field_count(); ++i) names.push_back(type.field(i)->name());
  return names;
}

Error unknown_argument(const std::string& where, const std::string& name, const google::protobuf::Descriptor& type) {
  const auto names = argument_names(type);
  return {Code::kInvalidArgument, where + " has no argument \"" + escape_foreign(name, 60) + "\"" +
                                      did_you_mean(name, names) +
                                      "; allowed: " + (names.empty() ? "none" : join(names, ", "))};
}

const FieldDescriptor* find_argument(const google::protobuf::Descriptor& type, const std::string& name,
                                     v1::Dialect dialect) {
  for (int i = 0; i < type.field_count(); ++i) {
    const auto* field = type.field(i);
    if (field->name() == name) return field;
    for (const v1::Alias& alias : arg_options(*field).aliases()) {
      if (alias.dialect() == dialect && alias.name() == name) return field;
    }
  }
  return nullptr;
}

// Accepts only a JSON integer that fits into T, so neither 3.0 nor 1e-400, which would be read as 0.
template <class T>
std::optional<T> as_integer(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  const bool fits = value.is_number_unsigned() ? std::in_range<T>(value.get<std::uint64_t>())
                                               : std::in_range<T>(value.get<std::int64_t>());
  return fits ? std::optional(value.get<T>()) : std::nullopt;
}

Result<int> enum_value(const json& value, const FieldDescriptor& field, const std::string& where) {
  std::string allowed;
  for (int i = 0; i < field.enum_type()->value_count(); ++i) {
    const auto* candidate = field.enum_type()->value(i);
    const auto& options = candidate->options().GetExtension(v1::value);
    if (options.spelling().empty()) continue;
    allowed += (allowed.empty() ? "\"" : ", \"") + options.spelling() + "\"";
    if (!value.is_string()) continue;
    const auto& given = value.get_ref<const std::string&>();
    bool matches = given == options.spelling();
    for (const std::string& alias : options.aliases()) matches = matches || given == alias;
    if (matches) return candidate->number();
  }
  return wrong_type(where, value, "one of " + allowed);
}

Result<void> set_scalar(const json& value, const FieldDescriptor& field, const std::string& where, Message& message) {
  const auto& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      if (!value.is_string()) return wrong_type(where, value, "a string");
      reflection.SetString(&message, &field, value.get<std::string>());
      return ok();
    case FieldDescriptor::CPPTYPE_BOOL:
      if (!value.is_boolean()) return wrong_type(where, value, "true or false");
      reflection.SetBool(&message, &field, value.get<bool>());
      return ok();
    case FieldDescriptor::CPPTYPE_DOUBLE:
      if (!value.is_number()) return wrong_type(where, value, "a number");
      reflection.SetDouble(&message, &field, value.get<double>());
      return ok();
    case FieldDescriptor::CPPTYPE_INT32: {
      const auto number = as_integer<std::int32_t>(value);
      if (!number) return wrong_type(where, value, "an integer");
      reflection.SetInt32(&message, &field, *number);
      return ok();
    }
    case FieldDescriptor::CPPTYPE_UINT32: {
      const auto number = as_integer<std::uint32_t>(value);
      if (!number) return wrong_type(where, value, "an integer of 0 or more");
      reflection.SetUInt32(&message, &field, *number);
      return ok();
    }
    case FieldDescriptor::CPPTYPE_ENUM: {
      ASSIGN_OR_RETURN(const int number, enum_value(value, field, where));
      reflection.SetEnumValue(&message, &field, number);
      return ok();
    }
    default: return Error{Code::kInternal, where + " has a type that the contract does not use"};
  }
}

Result<void> set_repeated(const json& value, const FieldDescriptor& field, v1::Dialect dialect,
                          const std::string& where, Message& message) {
  if (!value.is_array()) return wrong_type(where, value, "a list");
  const auto& reflection = *message.GetReflection();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string item = where + "[" + std::to_string(i) + "]";
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      RETURN_IF_ERROR(fill_arguments(value[i], dialect, item, *reflection.AddMessage(&message, &field)));
    } else if (value[i].is_string()) {
      reflection.AddString(&message, &field, value[i].get<std::string>());
    } else {
      return wrong_type(item, value[i], "a string");
    }
  }
  return ok();
}

json scalar_json(const Message& message, const FieldDescriptor& field) {
  const auto& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: return reflection.GetString(message, &field);
    case FieldDescriptor::CPPTYPE_BOOL: return reflection.GetBool(message, &field);
    case FieldDescriptor::CPPTYPE_DOUBLE: return reflection.GetDouble(message, &field);
    case FieldDescriptor::CPPTYPE_INT32: return reflection.GetInt32(message, &field);
    case FieldDescriptor::CPPTYPE_UINT32: return reflection.GetUInt32(message, &field);
    case FieldDescriptor::CPPTYPE_ENUM: return spelling(*reflection.GetEnum(message, &field));
    default: return nullptr;
  }
}

}  // namespace

Result<void> fill_arguments(const json& object, v1::Dialect dialect, const std::string& where, Message& message) {
  if (!object.is_object()) return wrong_type(where, object, "an object");
  const auto& type = *message.GetDescriptor();
  std::vector<bool> given(static_cast<std::size_t>(type.field_count()));
  for (const auto& [name, value] : object.items()) {
    const auto* field = find_argument(type, name, dialect);
    const std::string path = where + "." + escape_foreign(name, 60);
    if (field == nullptr) return unknown_argument(where, name, type);
    if (given[static_cast<std::size_t>(field->index())]) {
      return Error{Code::kInvalidArgument, path + " is given twice, as " + field->name() + " and by another name"};
    }
    // Providers' schemas require every key, so a model writes null for an argument that it leaves out.
    if (value.is_null() && !arg_options(*field).required()) continue;
    given[static_cast<std::size_t>(field->index())] = true;
    RETURN_IF_ERROR(field->is_repeated() ? set_repeated(value, *field, dialect, path, message)
                                         : set_scalar(value, *field, path, message));
  }
  for (int i = 0; i < type.field_count(); ++i) {
    if (arg_options(*type.field(i)).required() && !given[static_cast<std::size_t>(i)]) {
      return Error{Code::kInvalidArgument, where + "." + std::string(name_in(*type.field(i), dialect)) +
                                               " is missing: " + arg_options(*type.field(i)).summary()};
    }
  }
  return ok();
}

json arguments_json(const Message& message) {
  json object = json::object();
  const auto& reflection = *message.GetReflection();
  const auto& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const auto& field = *type.field(i);
    if (field.is_repeated()) {
      json list = json::array();
      for (int j = 0; j < reflection.FieldSize(message, &field); ++j) {
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
          list.push_back(arguments_json(reflection.GetRepeatedMessage(message, &field, j)));
        } else {
          list.push_back(reflection.GetRepeatedString(message, &field, j));
        }
      }
      if (!list.empty()) object[field.name()] = std::move(list);
    } else if (arg_options(field).required() || reflection.HasField(message, &field)) {
      object[field.name()] = scalar_json(message, field);
    }
  }
  return object;
}

}  // namespace da::contract
