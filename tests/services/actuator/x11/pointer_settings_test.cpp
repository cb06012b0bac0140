#include "services/actuator/desktop/x11/input/pointer_settings.h"

#include <gmock/gmock.h>

namespace da::actuator::x11 {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

std::string bytes(std::initializer_list<int> values) {
  std::string all;
  for (const int value : values) all += static_cast<char>(value);
  return all;
}

// Two integers with a text between them, little-endian.
std::string settings() {
  return bytes({0, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0}) +                                                  //
         bytes({0, 0, 3, 0}) + "A/b" + bytes({0, 1, 0, 0, 0, 0x90, 1, 0, 0}) +                          //
         bytes({1, 0, 4, 0}) + "Text" + bytes({1, 0, 0, 0, 5, 0, 0, 0}) + "hello" + bytes({0, 0, 0}) +  //
         bytes({0, 0, 4, 0}) + "C/de" + bytes({1, 0, 0, 0, 8, 0, 0, 0});
}

TEST(ParseXsettings, FindsTheIntegers) {
  EXPECT_THAT(parse_xsettings(settings()), UnorderedElementsAre(Pair("A/b", 400), Pair("C/de", 8)));
}

TEST(ParseXsettings, UsesTheByteOrderOfTheWriter) {
  const std::string value =
      bytes({1, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 4}) + "A/bc" + bytes({0, 0, 0, 1, 0, 0, 1, 0x90});
  EXPECT_THAT(parse_xsettings(value), UnorderedElementsAre(Pair("A/bc", 400)));
}

TEST(ParseXsettings, ReadsWhatThereIsOfAValueThatIsCut) {
  const std::string whole = settings();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_LE(parse_xsettings(whole.substr(0, size)).size(), 1U) << size;
  }
  EXPECT_THAT(parse_xsettings(""), IsEmpty());
}

}  // namespace
}  // namespace da::actuator::x11
