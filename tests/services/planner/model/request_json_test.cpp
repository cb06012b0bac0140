#include "services/planner/model/request_json.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

TEST(RequestJson, WritesWhatTheJsonLibraryWrites) {
  const auto value = RequestJson::parse(R"({
    "z": "plain", "a": "quote \" backslash \\ newline \n zero \u0000 delete \u007f", "\"key\"\n": "grüße 😀",
    "empty": ["", {}, []], "other": [null, true, false, 0, -1, 4294967295, 1.5], "nested": {"b": [{"c": "d"}], "a": {}}
  })");
  EXPECT_EQ(post_json("u", value).body, value.dump());
}

TEST(RequestJson, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(post_json("u", RequestJson("a\xff")).body, "\"a\xef\xbf\xbd\"");
}

TEST(RequestJson, FurtherHeadersComeLast) {
  const HttpRequest request = post_json("https://x/y", RequestJson::object(), {{"a", "b"}});
  EXPECT_EQ(request.url, "https://x/y");
  EXPECT_EQ(request.headers,
            (Headers{{"Content-Type", "application/json"}, {"Accept", "application/json"}, {"a", "b"}}));
}

TEST(RequestJson, AnImageIsADataUrl) {
  EXPECT_EQ(data_url({.media_type = "image/png", .data = "foo"}), "data:image/png;base64,Zm9v");
}

}  // namespace
}  // namespace da::planner::model
