#include "lib/recording/viewer_messages.h"

#include "da/v1/history.pb.h"
#include "foxglove/schemas.pb.h"

namespace da::recording {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr const char* kImageTopic = "screen";
constexpr const char* kTargetTopic = "screen.targets";
constexpr const char* kLogTopic = "log";
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

ViewerMessage image(const v1::ImageFact& fact) {
  auto image = std::make_unique<foxglove::CompressedImage>();
  set_time(*image->mutable_timestamp(), fact.header());
  image->set_data(fact.data());
  image->set_format(fact.media_type().substr(fact.media_type().find('/') + 1));
  image->set_frame_id(fact.header().desktop_id());
  return {kImageTopic, std::move(image)};
}

// Draws in pixels of the image; nothing before the first image is known.
class Annotations {
 public:
  Annotations(const v1::CoordinateContract& coordinates, const v1::Header& header)
      : coordinates_(coordinates), header_(header) {}

  void outline(const v1::Rect& area, const std::string& text, double red, double green, double blue) {
    if (coordinates_.desktop().width() == 0 || coordinates_.desktop().height() == 0 || area.width() == 0) return;
    auto& loop = *annotations_->add_points();
    set_time(*loop.mutable_timestamp(), header_);
    loop.set_type(foxglove::PointsAnnotation::LINE_LOOP);
    const double right = area.x() + static_cast<double>(area.width());
    const double bottom = area.y() + static_cast<double>(area.height());
    add_point(loop, area.x(), area.y());
    add_point(loop, right, area.y());
    add_point(loop, right, bottom);
    add_point(loop, area.x(), bottom);
    set_colour(*loop.mutable_outline_color(), red, green, blue);
    loop.set_thickness(kOutlinePixels);
    if (text.empty()) return;
    auto& label = *annotations_->add_texts();
    set_time(*label.mutable_timestamp(), header_);
    *label.mutable_position() = loop.points(0);
    label.set_text(text);
    label.set_font_size(kFontPixels);
    set_colour(*label.mutable_text_color(), red, green, blue);
  }

  std::vector<ViewerMessage> take() {
    std::vector<ViewerMessage> messages;
    if (annotations_->points_size() > 0) messages.push_back({kTargetTopic, std::move(annotations_)});
    return messages;
  }

 private:
  void add_point(foxglove::PointsAnnotation& loop, double x, double y) const {
    const v1::Rect& desktop = coordinates_.desktop();
    auto& point = *loop.add_points();
    point.set_x((x - desktop.x()) * coordinates_.image_width() / desktop.width());
    point.set_y((y - desktop.y()) * coordinates_.image_height() / desktop.height());
  }

  const v1::CoordinateContract& coordinates_;
  const v1::Header& header_;
  std::unique_ptr<foxglove::ImageAnnotations> annotations_ = std::make_unique<foxglove::ImageAnnotations>();
};

ViewerMessage log(const v1::Header& header, const v1::LogLine& line) {
  auto entry = std::make_unique<foxglove::Log>();
  set_time(*entry->mutable_timestamp(), header);
  switch (line.level()) {
    case v1::LogLine::LEVEL_WARNING: entry->set_level(foxglove::Log::WARNING); break;
    case v1::LogLine::LEVEL_ERROR: entry->set_level(foxglove::Log::ERROR); break;
    case v1::LogLine::LEVEL_CRITICAL: entry->set_level(foxglove::Log::FATAL); break;
    default: break;
  }
  entry->set_message(line.text());
  entry->set_name("da-" + header.writer());
  return {kLogTopic, std::move(entry)};
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
  if (v1::ImageFact shown; parse(fact, shown)) {
    messages.push_back(image(shown));
  } else if (v1::Observation observation; parse(fact, observation)) {
    if (!observation.image_hash().empty()) coordinates_ = observation.coordinates();
    Annotations annotations(coordinates_, fact.header);
    for (const v1::UiNode& node : observation.marked()) annotations.outline(node.bounds(), node.name(), 0, 0.6, 1);
    return annotations.take();
  } else if (v1::StepJudged judged; parse(fact, judged)) {
    const v1::Evidence& evidence = judged.evidence();
    Annotations annotations(coordinates_, fact.header);
    const v1::UiNode& node = evidence.target_element();
    annotations.outline(node.bounds().width() > 0 ? node.bounds() : evidence.target_area(), node.name(), 1, 0.2, 0.2);
    return annotations.take();
  } else {
    return logs<v1::ObserverLog, v1::PlannerLog, v1::PolicyLog, v1::ActuatorLog>(fact);
  }
  return messages;
}

}  // namespace da::recording
