#include "lib/contract/json/json_places.h"

#include <gtest/gtest.h>

#include "lib/base/clock.h"
#include "lib/contract/json/strict_json.h"

namespace da::contract {
namespace {

TEST(JsonPlaces, ValuesAreFoundByTheirPointers) {
  const std::string text =
      "{\n"
      "  \"numbers\": [1, 22,\n"
      "              333],\n"
      "  \"ü\" : {\"a/b\": \"text, with ] and \\\"\", \"t\":true},\"last\":null\n"
      "}\n";
  const auto places =
      find_json_places(text, {"", "/numbers", "/numbers/1", "/numbers/2", "/ü", "/ü/a~1b", "/ü/t", "/last", "/none"});
  ASSERT_EQ(places.size(), 8U);
  EXPECT_EQ(places.at("").value, (TextPlace{1, 1}));
  EXPECT_EQ(places.at("/numbers").key, (TextPlace{2, 3}));
  EXPECT_EQ(places.at("/numbers").value, (TextPlace{2, 14}));
  EXPECT_EQ(places.at("/numbers/1").value, (TextPlace{2, 18}));
  EXPECT_EQ(places.at("/numbers/2").value, (TextPlace{3, 15}));
  EXPECT_EQ(places.at("/ü").value, (TextPlace{4, 9}));
  EXPECT_EQ(places.at("/ü/a~1b").key, (TextPlace{4, 10}));
  EXPECT_EQ(places.at("/ü/a~1b").value, (TextPlace{4, 17}));
  EXPECT_EQ(places.at("/ü/t").value, (TextPlace{4, 44}));
  EXPECT_EQ(places.at("/last").key, (TextPlace{4, 50}));
  EXPECT_EQ(places.at("/last").value, (TextPlace{4, 57}));
}

TEST(JsonPlaces, MalformedTextGivesWhatComesBeforeItsFault) {
  const auto places = find_json_places("{\"a\": 1,\n \"b\": ]", {"/a", "/b"});
  EXPECT_EQ(places.size(), 1U);
  EXPECT_EQ(places.at("/a").value, (TextPlace{1, 7}));
}

// Copying the key for each item would take a minute.
TEST(JsonPlaces, LongKeyOfALongListTakesNoTime) {
  std::string text = "{\"" + std::string(1 << 20, 'k') + "\": [[1, {\"b\": 2}]";
  for (int i = 0; i < 1'000'000; ++i) text += ",1";
  text += "],\n\"b\": 2}";
  const MonoTime begun = system_clock().now();
  const auto places = find_json_places(text, {"/b", "/" + std::string(1 << 20, 'k')});
  EXPECT_LT(system_clock().now() - begun, std::chrono::seconds(10));
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places.at("/b").value, (TextPlace{2, 6}));
  EXPECT_EQ(places.at("/" + std::string(1 << 20, 'k')).key, (TextPlace{1, 2}));
}

TEST(JsonDocument, AFaultHasItsPlace) {
  const auto place = [](std::string_view text, JsonLimits limits = {}) {
    const auto read = read_json_document(text, limits);
    EXPECT_FALSE(read) << text;
    return read ? std::string() : to_text(read.error().place) + ": " + read.error().message;
  };
  EXPECT_EQ(place("{\"a\": 1,\n  \"a\": 2}"),
            "line 2, column 3: not acceptable JSON: the key \"a\" stands twice in one object");
  EXPECT_EQ(place("[\n[\n [1]]]", {.depth = 2}),
            "line 3, column 3: not acceptable JSON: it is nested deeper than 2 levels");
  EXPECT_TRUE(place("{\"a\": 1,\n  'b': 2}").starts_with("line 2, column 3: not one JSON object"))
      << place("{\"a\": 1,\n  'b': 2}");
  EXPECT_TRUE(place(std::string_view("{\n\0}", 4)).starts_with("line 2, column 1:"));
  EXPECT_TRUE(place("[1,2,3]", {.bytes = 3}).starts_with("line 1, column 1: the file has 7 bytes"));
}

// json::parse() with a callback passed through the whole list at the end of each of its objects.
TEST(StrictJson, AListOfManyObjectsIsReadInOneGo) {
  std::string text = "[{}";
  while (text.size() + 4 < kMaxJsonBytes) text += ",{}";
  const auto read = read_strict_json(text + "]");
  ASSERT_TRUE(read);
  EXPECT_GT(read->size(), 300'000U);
}

TEST(JsonDocument, TheOrderOfKeysStays) {
  EXPECT_EQ(read_json_document("{\"z\": 1, \"a\": 2.50, \"m\": {}}", {})->dump(), "{\"z\":1,\"a\":2.5,\"m\":{}}");
}

}  // namespace
}  // namespace da::contract
