#include "lib/recording/viewer_messages.h"

#include <gtest/gtest.h>

#include "da/v1/history.pb.h"
#include "da/v1/observation.pb.h"
#include "foxglove/schemas.pb.h"

namespace da::recording {
namespace {

template <class Fact>
RecordedFact recorded(Fact fact) {
  fact.mutable_header()->set_desktop_id("x11:0");
  fact.mutable_header()->set_wall_ns(7'000'000'009);
  return {Fact::descriptor(), fact.header(), fact.SerializeAsString()};
}

template <class Shown>
Shown only(const std::vector<ViewerMessage>& messages) {
  Shown shown;
  EXPECT_EQ(messages.size(), 1u);
  if (messages.size() != 1) return shown;
  EXPECT_EQ(messages[0].type, Shown::descriptor());
  EXPECT_TRUE(shown.ParseFromString(messages[0].data + std::string(messages[0].rest)));
  return shown;
}

v1::Observation observation() {
  v1::Observation observation;
  observation.set_image_hash("ab");
  auto& desktop = *observation.mutable_coordinates()->mutable_desktop();
  desktop.set_x(-100);
  desktop.set_width(2'000);
  desktop.set_height(1'000);
  observation.mutable_coordinates()->set_image_width(1'000);
  observation.mutable_coordinates()->set_image_height(500);
  return observation;
}

void mark(v1::Observation& observation, int x, int y, int width, int height) {
  auto& bounds = *observation.add_marked()->mutable_bounds();
  bounds.set_x(x);
  bounds.set_y(y);
  bounds.set_width(width);
  bounds.set_height(height);
}

TEST(ViewerMessages, AnImageHasTheBytesOfTheFact) {
  v1::ImageFact fact;
  fact.set_media_type("image/jpeg");
  fact.set_data(std::string("\0\xff\x22 bytes", 9) + std::string(300'000, 'x'));
  ViewerMessages viewer;
  const RecordedFact seen = recorded(fact);
  const auto shown = only<foxglove::CompressedImage>(viewer.of(seen));
  EXPECT_EQ(shown.data(), fact.data());
  EXPECT_EQ(shown.format(), "jpeg");
  EXPECT_EQ(shown.frame_id(), "x11:0");
  EXPECT_EQ(shown.timestamp().seconds(), 7);
  EXPECT_EQ(shown.timestamp().nanos(), 9);
}

TEST(ViewerMessages, AnImageOfACutFactIsEmpty) {
  v1::ImageFact fact;
  fact.set_media_type("image/png");
  fact.set_data("bytes");
  RecordedFact cut = recorded(fact);
  cut.payload.pop_back();
  ViewerMessages viewer;
  EXPECT_EQ(only<foxglove::CompressedImage>(viewer.of(cut)).data(), "");
}

TEST(ViewerMessages, ThePictureOfARegionIsNoViewOfTheScreen) {
  v1::ImageFact fact;
  fact.set_media_type("image/png");
  fact.set_data("bytes");
  fact.set_part(true);
  ViewerMessages viewer;
  EXPECT_TRUE(viewer.of(recorded(fact)).empty());
}

TEST(ViewerMessages, MarksAreInPixelsOfTheImage) {
  v1::Observation seen = observation();
  mark(seen, 100, 200, 300, 400);
  ViewerMessages viewer;
  const auto shown = only<foxglove::ImageAnnotations>(viewer.of(recorded(seen)));
  ASSERT_EQ(shown.points_size(), 1);
  ASSERT_EQ(shown.points(0).points_size(), 4);
  EXPECT_EQ(shown.points(0).points(0).x(), 100);
  EXPECT_EQ(shown.points(0).points(0).y(), 100);
  EXPECT_EQ(shown.points(0).points(2).x(), 250);
  EXPECT_EQ(shown.points(0).points(2).y(), 300);
}

TEST(ViewerMessages, MarksEndAtTheEdgeOfTheImage) {
  v1::Observation seen = observation();
  mark(seen, -500, -500, 5'000, 5'000);
  mark(seen, 2'000'000'000, 5, 2'000'000'000, 5);
  ViewerMessages viewer;
  const auto shown = only<foxglove::ImageAnnotations>(viewer.of(recorded(seen)));
  ASSERT_EQ(shown.points_size(), 2);
  for (const auto& loop : shown.points()) {
    for (const auto& point : loop.points()) {
      EXPECT_GE(point.x(), 0);
      EXPECT_LE(point.x(), 1'000);
      EXPECT_GE(point.y(), 0);
      EXPECT_LE(point.y(), 500);
    }
  }
}

TEST(ViewerMessages, AStepMarksItsTargetOrTheFieldWithTheKeyboardFocus) {
  ViewerMessages viewer;
  static_cast<void>(viewer.of(recorded(observation())));
  v1::StepJudged typing;
  auto& field = *typing.mutable_evidence()->mutable_focused_element();
  field.set_name("Name");
  field.mutable_bounds()->set_width(200);
  field.mutable_bounds()->set_height(100);
  auto shown = only<foxglove::ImageAnnotations>(viewer.of(recorded(typing)));
  ASSERT_EQ(shown.points_size(), 1);
  EXPECT_EQ(shown.points(0).points(0).x(), 50);
  EXPECT_EQ(shown.texts(0).text(), "Name");
  v1::StepJudged click = typing;
  auto& button = *click.mutable_evidence()->mutable_target_element();
  button.set_name("Save");
  *button.mutable_bounds() = field.bounds();
  shown = only<foxglove::ImageAnnotations>(viewer.of(recorded(click)));
  EXPECT_EQ(shown.texts(0).text(), "Save");
}

TEST(ViewerMessages, NothingIsDrawnBeforeTheFirstImage) {
  v1::Observation seen;
  mark(seen, 1, 2, 3, 4);
  ViewerMessages viewer;
  EXPECT_TRUE(viewer.of(recorded(seen)).empty());
}

TEST(ViewerMessages, ALogLineHasItsLevel) {
  v1::PolicyLog fact;
  fact.mutable_header()->set_writer("policy");
  fact.mutable_line()->set_level(v1::LogLine::LEVEL_ERROR);
  fact.mutable_line()->set_text("the disk is full");
  ViewerMessages viewer;
  const auto shown = only<foxglove::Log>(viewer.of(recorded(fact)));
  EXPECT_EQ(shown.level(), foxglove::Log::ERROR);
  EXPECT_EQ(shown.message(), "the disk is full");
  EXPECT_EQ(shown.name(), "da-policy");
}

}  // namespace
}  // namespace da::recording
