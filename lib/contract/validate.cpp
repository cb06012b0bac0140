#include <cmath>
#include <optional>
#include <string>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/keys.h"
#include "lib/contract/parse.h"

namespace da::contract {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Where in the arguments a check stands; put into words only where it fails.
struct Place {
  const Place* parent;
  const std::string& name;
  std::optional<int> index;

  std::string text() const {
    std::string path = parent == nullptr ? name : parent->text() + "." + name;
    if (index) path += "[" + std::to_string(*index) + "]";
    return path;
  }
};

Error invalid(const Place& where, const std::string& problem) {
  return {Code::kInvalidArgument, where.text() + " " + problem};
}

std::string show_number(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

Result<void> check_string(const std::string& value, const v1::ArgOptions& options, const Place& where) {
  const auto scalars = decode_utf8(value);
  if (!scalars) return invalid(where, "is not valid UTF-8");
  // No key types it, and to the system it ends a path or a command that goes on for us.
  if (value.find('\0') != std::string::npos) return invalid(where, "has a NUL character");
  if (options.max_characters() != 0 && scalars->size() > options.max_characters()) {
    return invalid(where, "has " + std::to_string(scalars->size()) + " characters; at most " +
                              std::to_string(options.max_characters()) + " are allowed");
  }
  if (options.required() && value.empty()) return invalid(where, "is empty");
  if (options.key_name() && !canonical_key(value)) {
    return invalid(where,
                   "is \"" + escape_foreign(value, 40) +
                       "\", which is no key; allowed: one character, or a name such as enter, tab, esc, f5, ctrl");
  }
  return ok();
}

Result<void> check_number(double value, const v1::ArgOptions& options, const Place& where) {
  const bool too_small = options.has_min() && !(value >= options.min());
  const bool too_large = options.has_max() && !(value <= options.max());
  if (std::isfinite(value) && !too_small && !too_large) return ok();
  std::string allowed = options.has_min() ? "from " + show_number(options.min()) : "";
  if (options.has_max()) allowed += std::string(allowed.empty() ? "" : " ") + "up to " + show_number(options.max());
  return invalid(where, "is " + show_number(value) + "; allowed is " + allowed);
}

Result<void> check_message(const Message& message, const Place& where);

Result<void> check_repeated(const Message& message, const FieldDescriptor& field, const Place& where) {
  const auto& options = arg_options(field);
  const auto& reflection = *message.GetReflection();
  const auto count = static_cast<std::uint32_t>(reflection.FieldSize(message, &field));
  if ((options.required() || count > 0) && (count < options.min_items() || count > options.max_items())) {
    return invalid(where, "has " + std::to_string(count) + " items; allowed are " +
                              std::to_string(options.min_items()) + " to " + std::to_string(options.max_items()));
  }
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const Place item{where.parent, where.name, i};
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      RETURN_IF_ERROR(check_message(reflection.GetRepeatedMessage(message, &field, i), item));
    } else {
      RETURN_IF_ERROR(check_string(reflection.GetRepeatedString(message, &field, i), options, item));
    }
  }
  return ok();
}

Result<void> check_field(const Message& message, const FieldDescriptor& field, const Place& where) {
  const auto& options = arg_options(field);
  const auto& reflection = *message.GetReflection();
  if (field.has_presence() && !reflection.HasField(message, &field)) return ok();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: return check_string(reflection.GetString(message, &field), options, where);
    case FieldDescriptor::CPPTYPE_DOUBLE: return check_number(reflection.GetDouble(message, &field), options, where);
    case FieldDescriptor::CPPTYPE_INT32: return check_number(reflection.GetInt32(message, &field), options, where);
    case FieldDescriptor::CPPTYPE_UINT32: return check_number(reflection.GetUInt32(message, &field), options, where);
    case FieldDescriptor::CPPTYPE_ENUM: {
      const int number = reflection.GetEnumValue(message, &field);
      if (field.enum_type()->FindValueByNumber(number) == nullptr)
        return invalid(where, "has a value that is not known");
      if (options.required() && number == 0) return invalid(where, "is missing: " + options.summary());
      return ok();
    }
    case FieldDescriptor::CPPTYPE_MESSAGE: return check_message(reflection.GetMessage(message, &field), where);
    default: return ok();
  }
}

Result<void> check_message(const Message& message, const Place& where) {
  const auto& type = *message.GetDescriptor();
  if (!message.GetReflection()->GetUnknownFields(message).empty()) {
    return invalid(where, "holds fields of a newer contract");
  }
  for (int i = 0; i < type.field_count(); ++i) {
    const auto& field = *type.field(i);
    const Place place{&where, field.name(), std::nullopt};
    RETURN_IF_ERROR(field.is_repeated() ? check_repeated(message, field, place) : check_field(message, field, place));
  }
  return ok();
}

bool is_given(const Message& message, const FieldDescriptor& field) {
  return field.is_repeated() ? message.GetReflection()->FieldSize(message, &field) > 0
                             : message.GetReflection()->HasField(message, &field);
}

}  // namespace

Result<void> validate(const v1::Action& action) {
  const Tool* tool = tool_of(action);
  if (tool == nullptr) return Error{Code::kInvalidArgument, "the step names no tool"};
  const Place place{nullptr, tool->name(), std::nullopt};
  if (!action.GetReflection()->GetUnknownFields(action).empty()) {
    return invalid(place, "holds fields of a newer contract");
  }
  const auto& arguments = action.GetReflection()->GetMessage(action, tool->field);
  RETURN_IF_ERROR(check_message(arguments, place));
  int given = 0;
  std::string names;
  for (const std::string& name : tool->options->exactly_one_of()) {
    given += is_given(arguments, *tool->arguments->FindFieldByName(name)) ? 1 : 0;
    names += (names.empty() ? "" : " or ") + name;
  }
  if (!names.empty() && given != 1) {
    return invalid(place, "takes exactly one of " + names + ", but " + (given == 0 ? "none" : "both") +
                              (given == 0 ? " was given" : " were given"));
  }
  return ok();
}

}  // namespace da::contract
