#include "lib/recording/viewer_messages.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <optional>

#include "da/v1/history.pb.h"
#include "foxglove/schemas.pb.h"

namespace da::recording {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr const char* kImageTopic = "screen";
constexpr const char* kTargetTopic = "screen.targets";
constexpr const char* kLogTopic = "log";
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr double kOutlinePixels = 3;
constexpr double kFontPixels = 14;

void set_time(google::protobuf::Timestamp& timestamp, const v1::Header& header) {
  timestamp.set_seconds(header.wall_ns() / kNanosecondsPerSecond);
  timestamp.set_nanos(static_cast<std::int32_t>(header.wall_ns() % kNanosecondsPerSecond));
}

void set_colour(foxglove::Color& colour, double red, double green, double blue) {
  colour.set_r(red);
  colour.set_g(green);
  colour.set_b(blue);
  colour.set_a(1);
}

template <class Fact>
bool parse(const RecordedFact& from, Fact& fact) {
  return from.type == Fact::descriptor() && fact.ParseFromString(from.payload);
}

template <class Message>
ViewerMessage viewer_message(const std::string& topic, const Message& message) {
  return {topic, Message::descriptor(), message.SerializeAsString(), {}};
}

constexpr std::uint32_t length_tag(int field) {
  return WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
}

// These fields of an ImageFact, without a copy of the image. Its other fields are skipped.
struct ImageFields {
  std::string_view data;
  std::string_view media_type;
  bool part = false;
};

ImageFields image_fields(std::string_view payload) {
  CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(payload.data()), static_cast<int>(payload.size()));
  ImageFields fields;
  while (const std::uint32_t tag = stream.ReadTag()) {
    std::uint32_t size = 0;
    if (tag == WireFormatLite::MakeTag(v1::ImageFact::kPartFieldNumber, WireFormatLite::WIRETYPE_VARINT)) {
      if (!stream.ReadVarint32(&size)) return {};
      fields.part = size != 0;
      continue;
    }
    const bool is_data = tag == length_tag(v1::ImageFact::kDataFieldNumber);
    if (!is_data && tag != length_tag(v1::ImageFact::kMediaTypeFieldNumber)) {
      if (!WireFormatLite::SkipField(&stream, tag)) return {};
      continue;
    }
    if (!stream.ReadVarint32(&size)) return {};
    const auto begin = static_cast<std::size_t>(stream.CurrentPosition());
    if (size > payload.size() - begin || !stream.Skip(static_cast<int>(size))) return {};
    (is_data ? fields.data : fields.media_type) = payload.substr(begin, size);
  }
  return fields;
}

// nullopt: it shows only a part of the desktop.
std::optional<ViewerMessage> image(const RecordedFact& fact) {
  const auto [data, media_type, part] = image_fields(fact.payload);
  if (part) return std::nullopt;
  foxglove::CompressedImage image;
  set_time(*image.mutable_timestamp(), fact.header);
  image.set_format(std::string(media_type.substr(media_type.find('/') + 1)));
  image.set_frame_id(fact.header.desktop_id());
  ViewerMessage message = viewer_message(kImageTopic, image);
  // Encoded by hand, because it is large: the order of fields does not matter to a reader.
  constexpr std::size_t kLongestPrefix = 10;
  std::uint8_t prefix[kLongestPrefix];
  auto* end = google::protobuf::io::CodedOutputStream::WriteVarint32ToArray(
      length_tag(foxglove::CompressedImage::kDataFieldNumber), prefix);
  end = google::protobuf::io::CodedOutputStream::WriteVarint32ToArray(static_cast<std::uint32_t>(data.size()), end);
  message.data.append(reinterpret_cast<const char*>(prefix), static_cast<std::size_t>(end - prefix));
  message.rest = data;
  return message;
}

// Draws in pixels of the image; nothing before the first image is known. What reaches over its edges is cut off there.
class Annotations {
 public:
  Annotations(const v1::CoordinateContract& coordinates, const v1::Header& header)
      : coordinates_(coordinates), header_(header) {}

  void outline(const v1::Rect& area, const std::string& text, double red, double green, double blue) {
    if (coordinates_.desktop().width() == 0 || coordinates_.desktop().height() == 0 || area.width() == 0) return;
    auto& loop = *annotations_.add_points();
    set_time(*loop.mutable_timestamp(), header_);
    loop.set_type(foxglove::PointsAnnotation::LINE_LOOP);
    const double right = static_cast<double>(area.x()) + area.width();
    const double bottom = static_cast<double>(area.y()) + area.height();
    add_point(loop, area.x(), area.y());
    add_point(loop, right, area.y());
    add_point(loop, right, bottom);
    add_point(loop, area.x(), bottom);
    set_colour(*loop.mutable_outline_color(), red, green, blue);
    loop.set_thickness(kOutlinePixels);
    if (text.empty()) return;
    auto& label = *annotations_.add_texts();
    set_time(*label.mutable_timestamp(), header_);
    *label.mutable_position() = loop.points(0);
    label.set_text(text);
    label.set_font_size(kFontPixels);
    set_colour(*label.mutable_text_color(), red, green, blue);
  }

  std::vector<ViewerMessage> take() {
    std::vector<ViewerMessage> messages;
    if (annotations_.points_size() > 0) messages.push_back(viewer_message(kTargetTopic, annotations_));
    return messages;
  }

 private:
  void add_point(foxglove::PointsAnnotation& loop, double x, double y) const {
    const v1::Rect& desktop = coordinates_.desktop();
    auto& point = *loop.add_points();
    const auto in_image = [](double at, std::int64_t origin, double scale, double size) {
      return std::clamp((at - static_cast<double>(origin)) * scale, 0.0, size);
    };
    const double width = coordinates_.image_width();
    const double height = coordinates_.image_height();
    point.set_x(in_image(x, desktop.x(), width / desktop.width(), width));
    point.set_y(in_image(y, desktop.y(), height / desktop.height(), height));
  }

  const v1::CoordinateContract& coordinates_;
  const v1::Header& header_;
  foxglove::ImageAnnotations annotations_;
};

ViewerMessage log(const v1::Header& header, const v1::LogLine& line) {
  foxglove::Log entry;
  set_time(*entry.mutable_timestamp(), header);
  switch (line.level()) {
    case v1::LogLine::LEVEL_WARNING: entry.set_level(foxglove::Log::WARNING); break;
    case v1::LogLine::LEVEL_ERROR: entry.set_level(foxglove::Log::ERROR); break;
    case v1::LogLine::LEVEL_CRITICAL: entry.set_level(foxglove::Log::FATAL); break;
    default: break;
  }
  entry.set_message(line.text());
  entry.set_name("da-" + header.writer());
  return viewer_message(kLogTopic, entry);
}

template <class... Facts>
std::vector<ViewerMessage> logs(const RecordedFact& fact) {
  std::vector<ViewerMessage> messages;
  const auto add = [&]<class Fact>(Fact parsed) {
    if (parse(fact, parsed)) messages.push_back(log(parsed.header(), parsed.line()));
  };
  (add(Facts()), ...);
  return messages;
}

}  // namespace

std::vector<ViewerMessage> ViewerMessages::of(const RecordedFact& fact) {
  std::vector<ViewerMessage> messages;
  if (fact.type == v1::ImageFact::descriptor()) {
    if (auto shown = image(fact)) messages.push_back(*std::move(shown));
  } else if (v1::Observation observation; parse(fact, observation)) {
    if (!observation.image_hash().empty()) coordinates_ = observation.coordinates();
    Annotations annotations(coordinates_, fact.header);
    for (const v1::UiNode& node : observation.marked()) annotations.outline(node.bounds(), node.name(), 0, 0.6, 1);
    return annotations.take();
  } else if (v1::StepJudged judged; parse(fact, judged)) {
    const v1::Evidence& evidence = judged.evidence();
    Annotations annotations(coordinates_, fact.header);
    const v1::UiNode& node = evidence.has_target_element() ? evidence.target_element() : evidence.focused_element();
    annotations.outline(node.bounds().width() > 0 ? node.bounds() : evidence.target_area(), node.name(), 1, 0.2, 0.2);
    return annotations.take();
  } else {
    return logs<v1::ObserverLog, v1::PlannerLog, v1::PolicyLog, v1::ActuatorLog>(fact);
  }
  return messages;
}

}  // namespace da::recording
