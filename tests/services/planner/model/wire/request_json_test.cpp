#include "services/planner/model/wire/request_json.h"

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

// The code checks eight bytes at a time: tests each offset in a word, and after the last word.
TEST(RequestJson, EachByteMatchesTheJsonLibraryAtEachOffset) {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t at = 0; at < 19; ++at) {
      std::string text(19, 'a');
      text[at] = static_cast<char>(byte);
      const RequestJson body = {{"text", text}};
      ASSERT_EQ(post_json("u", body).body, body.dump(-1, ' ', false, RequestJson::error_handler_t::replace))
          << byte << " at " << at;
    }
  }
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
