#include "services/console/report/page/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "lib/bus/topics.h"
#include "lib/recording/recording_file.h"
#include "services/console/report/story_json.h"
#include "services/console/report/story_reader.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using testing::HasSubstr;
using testing::Not;

// Fills the fields of messages with markup, control characters and extreme numbers.
class HostileMessages {
 public:
  explicit HostileMessages(unsigned seed) : random_(seed) {}

  void fill(Message& message, int depth = 0) {
    const auto& type = *message.GetDescriptor();
    for (int i = 0; i < type.field_count(); ++i) {
      if (below(10) >= 8) continue;
      const int count = type.field(i)->is_repeated() ? below(3) : 1;
      for (int j = 0; j < count; ++j) fill_field(message, *type.field(i), depth);
    }
  }

 private:
  void fill_field(Message& message, const FieldDescriptor& field, int depth) {
    const auto& reflection = *message.GetReflection();
    const bool many = field.is_repeated();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_STRING:
        many ? reflection.AddString(&message, &field, text()) : reflection.SetString(&message, &field, text());
        break;
      case FieldDescriptor::CPPTYPE_MESSAGE:
        if (depth > 6) break;
        fill(many ? *reflection.AddMessage(&message, &field) : *reflection.MutableMessage(&message, &field), depth + 1);
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        many ? reflection.AddEnumValue(&message, &field, below(9))
             : reflection.SetEnumValue(&message, &field, below(9));
        break;
      case FieldDescriptor::CPPTYPE_INT32:
        if (!many) reflection.SetInt32(&message, &field, number<std::int32_t>());
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        if (!many) reflection.SetInt64(&message, &field, number<std::int64_t>());
        break;
      case FieldDescriptor::CPPTYPE_UINT32:
        if (!many) reflection.SetUInt32(&message, &field, number<std::uint32_t>());
        break;
      case FieldDescriptor::CPPTYPE_UINT64:
        if (!many) reflection.SetUInt64(&message, &field, number<std::uint64_t>());
        break;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        if (!many) reflection.SetDouble(&message, &field, real());
        break;
      case FieldDescriptor::CPPTYPE_BOOL:
        if (!many) reflection.SetBool(&message, &field, below(2) == 1);
        break;
      default: break;
    }
  }

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  // Few of them, so that ids of different facts meet.
  std::string text() {
    static const std::string texts[] = {"<hostile>", "\"onload='hostile'",  "\x1b[2J\xe2\x80\xae", "step", "",
                                        "]]>-->",    std::string(3000, '<')};
    return texts[below(std::size(texts))];
  }
  template <class Integer>
  Integer number() {
    const Integer numbers[] = {0, 1, 300, std::numeric_limits<Integer>::max(), std::numeric_limits<Integer>::min()};
    return numbers[below(std::size(numbers))];
  }
  double real() {
    const double numbers[] = {0, -1, 1e308, std::numeric_limits<double>::quiet_NaN()};
    return numbers[below(std::size(numbers))];
  }

  std::mt19937 random_;
};

TEST(ReportPage, AnyFactsGiveAPageWithoutTheirMarkup) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const test::TempDir dir;
    const auto path = dir.path() / "hostile.mcap";
    const auto file = recording::RecordingFile::create(path, {{"task", "<hostile>"}, {"goal", "<hostile>"}});
    ASSERT_TRUE(file);
    HostileMessages hostile(seed);
    WallTime now{std::chrono::hours(24 * 365 * 50)};
    for (int round = 0; round < 20; ++round) {
      for (const auto* type : bus::all_facts()) {
        const auto* prototype = google::protobuf::MessageFactory::generated_factory()->GetPrototype(type);
        const std::unique_ptr<Message> message(prototype->New());
        hostile.fill(*message);
        const auto* header = type->FindFieldByNumber(1);
        message->GetReflection()->ClearField(message.get(), header);
        ASSERT_TRUE((*file)->add({type, v1::Header(), message->SerializeAsString()}, now += Milliseconds(1)));
      }
    }
    ASSERT_TRUE((*file)->finish({{"result", "<hostile>"}, {"cut", "<hostile>"}}));
    const auto recording = recording::RecordingReader::open(path);
    ASSERT_TRUE(recording);
    const TaskStory story = read_story(**recording, StoryImages::kWith);
    EXPECT_GT(story.steps.size(), 2u);
    EXPECT_EQ(story.problem, "");
    std::string page;
    ASSERT_TRUE(write_report(**recording, story, ReportImages::kAll, [&](std::string_view bytes) {
      page += bytes;
      return ok();
    }));
    EXPECT_THAT(page, HasSubstr("&lt;hostile&gt;"));
    EXPECT_THAT(page, Not(HasSubstr("<hostile>")));
    EXPECT_THAT(page, Not(HasSubstr("\"onload")));
    EXPECT_THAT(page, Not(HasSubstr("\x1b")));
    EXPECT_THAT(page, Not(HasSubstr("nan")));
    EXPECT_NE(story_json(story)["goal"], "");
  }
}

}  // namespace
}  // namespace da::console
