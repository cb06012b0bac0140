#include <cmath>
#include <optional>
#include <string>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/json/parse.h"
#include "lib/contract/keys.h"

namespace da::contract {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// The path of an argument. It becomes text only in an error.
struct ArgumentPath {
  const ArgumentPath* parent;
  const std::string& name;
  std::optional<int> index;

  std::string text() const {
    std::string path = parent == nullptr ? name : parent->text() + "." + name;
    if (index) path += "[" + std::to_string(*index) + "]";
    return path;
  }
};

Error invalid_argument(const ArgumentPath& where, const std::string& problem) {
  return {Code::kInvalidArgument, where.text() + " " + problem};
}

std::string show_number(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

Result<void> check_string(const std::string& value, const v1::ArgOptions& options, const ArgumentPath& where) {
  const auto scalars = decode_utf8(value);
  if (!scalars) return invalid_argument(where, "is not valid UTF-8");
  // No key types a NUL character, and the system ends a path or a command there.
  if (value.find('\0') != std::string::npos) return invalid_argument(where, "has a NUL character");
  if (options.max_characters() != 0 && scalars->size() > options.max_characters()) {
    return invalid_argument(where, "has " + std::to_string(scalars->size()) + " characters; at most " +
                                       std::to_string(options.max_characters()) + " are allowed");
  }
  if (options.required() && value.empty()) return invalid_argument(where, "is empty");
  if (options.key_name() && !canonical_key(value)) {
    return invalid_argument(
        where, "is \"" + escape_foreign(value, 40) +
                   "\", which is no key; allowed: one character, or a name such as enter, tab, esc, f5, ctrl");
  }
  return ok();
}

Result<void> check_number(double value, const v1::ArgOptions& options, const ArgumentPath& where) {
  const bool too_small = options.has_min() && !(value >= options.min());
  const bool too_large = options.has_max() && !(value <= options.max());
  if (std::isfinite(value) && !too_small && !too_large) return ok();
  std::string allowed = options.has_min() ? "from " + show_number(options.min()) : "";
  if (options.has_max()) allowed += std::string(allowed.empty() ? "" : " ") + "up to " + show_number(options.max());
  return invalid_argument(where, "is " + show_number(value) + "; allowed is " + allowed);
}

Result<void> check_message(const Message& message, const ArgumentPath& where);

Result<void> check_repeated(const Message& message, const FieldDescriptor& field, const ArgumentPath& where) {
  const auto& options = arg_options(field);
  const auto& reflection = *message.GetReflection();
  const auto count = static_cast<std::uint32_t>(reflection.FieldSize(message, &field));
  if ((options.required() || count > 0) && (count < options.min_items() || count > options.max_items())) {
    return invalid_argument(where, "has " + std::to_string(count) + " items; allowed are " +
                                       std::to_string(options.min_items()) + " to " +
                                       std::to_string(options.max_items()));
  }
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const ArgumentPath item{where.parent, where.name, i};
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      RETURN_IF_ERROR(check_message(reflection.GetRepeatedMessage(message, &field, i), item));
    } else {
      RETURN_IF_ERROR(check_string(reflection.GetRepeatedString(message, &field, i), options, item));
    }
  }
  return ok();
}

Result<void> check_field(const Message& message, const FieldDescriptor& field, const ArgumentPath& where) {
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
        return invalid_argument(where, "has an unknown value");
      if (options.required() && number == 0) return invalid_argument(where, "is missing: " + options.summary());
      return ok();
    }
    case FieldDescriptor::CPPTYPE_MESSAGE: return check_message(reflection.GetMessage(message, &field), where);
    default: return ok();
  }
}

Result<void> check_message(const Message& message, const ArgumentPath& where) {
  const auto& type = *message.GetDescriptor();
  if (!message.GetReflection()->GetUnknownFields(message).empty()) {
    return invalid_argument(where, "has unknown fields; update this program");
  }
  for (int i = 0; i < type.field_count(); ++i) {
    const auto& field = *type.field(i);
    const ArgumentPath path{&where, field.name(), std::nullopt};
    RETURN_IF_ERROR(field.is_repeated() ? check_repeated(message, field, path) : check_field(message, field, path));
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
  const ArgumentPath path{nullptr, tool->name(), std::nullopt};
  if (!action.GetReflection()->GetUnknownFields(action).empty()) {
    return invalid_argument(path, "has unknown fields; update this program");
  }
  const auto& arguments = action.GetReflection()->GetMessage(action, tool->field);
  RETURN_IF_ERROR(check_message(arguments, path));
  int given = 0;
  std::string names;
  for (const std::string& name : tool->options->exactly_one_of()) {
    given += is_given(arguments, *tool->arguments->FindFieldByName(name)) ? 1 : 0;
    names += (names.empty() ? "" : " or ") + name;
  }
  if (!names.empty() && given != 1) {
    return invalid_argument(path, "takes exactly one of " + names + ", but " + (given == 0 ? "none" : "both") +
                                      (given == 0 ? " was given" : " were given"));
  }
  return ok();
}

}  // namespace da::contract
