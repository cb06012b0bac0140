#include "lib/contract/coordinates.h"

#include <string>

#include "lib/contract/catalogue.h"

namespace da::contract {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::string point_text(Point point) { return "(" + std::to_string(point.x) + "," + std::to_string(point.y) + ")"; }

Result<void> check_contract(const v1::CoordinateContract& contract) {
  if (contract.image_width() == 0 || contract.image_height() == 0 || contract.desktop().width() == 0 ||
      contract.desktop().height() == 0) {
    return Error{Code::kInvalidArgument, "map coordinates: the frame has no size"};
  }
  return ok();
}

// The middle of the block of `to` pixels that pixel `at` of `from` covers.
int middle_of_block(int at, std::uint32_t from, std::uint32_t to) {
  return static_cast<int>((2 * std::int64_t{at} + 1) * to / (2 * std::int64_t{from}));
}

const FieldDescriptor* field_in_space(const google::protobuf::Descriptor& type, v1::Space space) {
  for (int i = 0; i < type.field_count(); ++i) {
    if (arg_options(*type.field(i)).space() == space) return type.field(i);
  }
  return nullptr;
}

enum class Way { kToDesktop, kToImage };

// One dimension of a box: begin and length, in the image and on the desktop.
struct Side {
  v1::Space at;
  v1::Space size;
  std::uint32_t image;
  std::int32_t desktop_begin;
  std::uint32_t desktop;
};

// A box maps from the edges of its pixels, not from their middles. Without a size field there is no box to map.
Result<void> map_side(const Side& side, Message& message) {
  const auto& reflection = *message.GetReflection();
  const auto* at_field = field_in_space(*message.GetDescriptor(), side.at);
  const auto* size_field = field_in_space(*message.GetDescriptor(), side.size);
  if (at_field == nullptr || size_field == nullptr) return ok();
  const std::int64_t at = reflection.GetInt32(message, at_field);
  const std::int64_t size = reflection.GetUInt32(message, size_field);
  if (size > side.image) {
    return Error{Code::kOutOfRange, size_field->name() + "=" + std::to_string(size) + " is more than the image's " +
                                        std::to_string(side.image) + " pixels"};
  }
  if (at + size > side.image) {
    return Error{Code::kOutOfRange, at_field->name() + "=" + std::to_string(at) + " and " + size_field->name() + "=" +
                                        std::to_string(size) + " reach beyond the image's " +
                                        std::to_string(side.image) + " pixels"};
  }
  const std::int64_t begin = at * side.desktop / side.image;
  const std::int64_t end = (at + size) * side.desktop / side.image;
  reflection.SetInt32(&message, at_field, static_cast<std::int32_t>(side.desktop_begin + begin));
  reflection.SetUInt32(&message, size_field, static_cast<std::uint32_t>(std::max<std::int64_t>(1, end - begin)));
  return ok();
}

// The image pixels that cover this part of the desktop.
void map_side_to_image(const Side& side, Message& message) {
  const auto& reflection = *message.GetReflection();
  const auto* at_field = field_in_space(*message.GetDescriptor(), side.at);
  const auto* size_field = field_in_space(*message.GetDescriptor(), side.size);
  if (at_field == nullptr || size_field == nullptr) return;
  const auto pixel = [&](std::int64_t at) { return (at * side.image + side.desktop - 1) / side.desktop; };
  const std::int64_t at = std::int64_t{reflection.GetInt32(message, at_field)} - side.desktop_begin;
  const std::int64_t size = reflection.GetUInt32(message, size_field);
  reflection.SetInt32(&message, at_field, static_cast<std::int32_t>(pixel(at)));
  reflection.SetUInt32(&message, size_field, static_cast<std::uint32_t>(pixel(at + size) - pixel(at)));
}

bool is_box(const google::protobuf::Descriptor& type) { return field_in_space(type, v1::SPACE_WIDTH) != nullptr; }

// Maps x and y of one message, and its width and height where it has them.
Result<void> map_message(const v1::CoordinateContract& contract, Way way, Message& message) {
  const auto& type = *message.GetDescriptor();
  const auto& reflection = *message.GetReflection();
  const auto* x = field_in_space(type, v1::SPACE_X);
  const auto* y = field_in_space(type, v1::SPACE_Y);
  if (x != nullptr && y != nullptr) {
    const Point given{reflection.GetInt32(message, x), reflection.GetInt32(message, y)};
    ASSIGN_OR_RETURN(const Point point,
                     way == Way::kToDesktop ? map_to_desktop(contract, given) : map_to_image(contract, given));
    if (!is_box(type)) {
      reflection.SetInt32(&message, x, point.x);
      reflection.SetInt32(&message, y, point.y);
    }
  }
  const v1::Rect& desktop = contract.desktop();
  const Side sides[] = {{v1::SPACE_X, v1::SPACE_WIDTH, contract.image_width(), desktop.x(), desktop.width()},
                        {v1::SPACE_Y, v1::SPACE_HEIGHT, contract.image_height(), desktop.y(), desktop.height()}};
  for (const Side& side : sides) {
    if (way == Way::kToDesktop) RETURN_IF_ERROR(map_side(side, message));
    if (way == Way::kToImage) map_side_to_image(side, message);
  }
  for (int i = 0; i < type.field_count(); ++i) {
    const auto* field = type.field(i);
    if (!field->is_repeated() || field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    for (int j = 0; j < reflection.FieldSize(message, field); ++j) {
      RETURN_IF_ERROR(map_message(contract, way, *reflection.MutableRepeatedMessage(&message, field, j)));
    }
  }
  return ok();
}

Result<v1::Action> map_action(const v1::CoordinateContract& contract, Way way, v1::Action action) {
  const Tool* tool = tool_of(action);
  if (tool == nullptr) return Error{Code::kInvalidArgument, "map coordinates: the step names no tool"};
  auto mapped = map_message(contract, way, *action.GetReflection()->MutableMessage(&action, tool->field));
  if (!mapped) return Error{mapped.error().code, tool->name() + ": " + mapped.error().message};
  return action;
}

}  // namespace

Point from_proto(const v1::Point& point) { return {point.x(), point.y()}; }

Rect from_proto(const v1::Rect& rect) {
  return {rect.x(), rect.y(), static_cast<int>(rect.width()), static_cast<int>(rect.height())};
}

v1::Point to_proto(Point point) {
  v1::Point message;
  message.set_x(point.x);
  message.set_y(point.y);
  return message;
}

v1::Rect to_proto(const Rect& rect) {
  v1::Rect message;
  message.set_x(rect.x);
  message.set_y(rect.y);
  message.set_width(static_cast<std::uint32_t>(std::max(0, rect.width)));
  message.set_height(static_cast<std::uint32_t>(std::max(0, rect.height)));
  return message;
}

Result<Point> map_to_desktop(const v1::CoordinateContract& contract, Point image) {
  RETURN_IF_ERROR(check_contract(contract));
  const auto width = contract.image_width();
  const auto height = contract.image_height();
  if (image.x < 0 || image.y < 0 || static_cast<std::uint32_t>(image.x) >= width ||
      static_cast<std::uint32_t>(image.y) >= height) {
    return Error{Code::kOutOfRange, "the point " + point_text(image) + " is outside the image of " +
                                        std::to_string(width) + "x" + std::to_string(height) + " pixels"};
  }
  return Point{contract.desktop().x() + middle_of_block(image.x, width, contract.desktop().width()),
               contract.desktop().y() + middle_of_block(image.y, height, contract.desktop().height())};
}

Result<Point> map_to_image(const v1::CoordinateContract& contract, Point desktop) {
  RETURN_IF_ERROR(check_contract(contract));
  if (!from_proto(contract.desktop()).contains(desktop)) {
    return Error{Code::kOutOfRange, "the point " + point_text(desktop) + " is outside the desktop"};
  }
  const v1::Rect& shown = contract.desktop();
  return Point{middle_of_block(desktop.x - shown.x(), shown.width(), contract.image_width()),
               middle_of_block(desktop.y - shown.y(), shown.height(), contract.image_height())};
}

Result<v1::Action> map_to_desktop(const v1::CoordinateContract& contract, const v1::Action& image_action) {
  return map_action(contract, Way::kToDesktop, image_action);
}

Result<v1::Action> map_to_image(const v1::CoordinateContract& contract, const v1::Action& desktop_action) {
  return map_action(contract, Way::kToImage, desktop_action);
}

}  // namespace da::contract
