#include "services/console/profiles/added_text.h"

#include <gtest/gtest.h>

namespace da::console {
namespace {

TEST(AddedText, SaysWhatWasAddedAndHowToTryIt) {
  AddToProfileOptions options;
  options.profile = "mail.json";
  options.name = "list";
  options.window = "New message";
  Place place;
  place.area = {1, 2, 30, 40};
  place.pattern = "New message";
  place.on_desktop = Rect{101, 52, 30, 40};
  place.window_title = "New message (3)";
  place.notes = {"doubtful"};
  EXPECT_EQ(added_text(options, place, {{"list", "regions"}, {"errors", 0}, {"warnings", 2}}),
            "added region \"list\" to mail.json: 1,2 (30x40) of the window whose title contains \"New message\", now "
            "\"New message (3)\" at 101,52 (30x40)\n"
            "note: doubtful\n"
            "note: the profile has errors: 0, warnings: 2; see da-console profile check mail.json\n"
            "try it: da-console analyze --window 'New message' --region 1,2,30,40 --average --ocr\n"
            "        da-console profile explain mail.json\n");
}

}  // namespace
}  // namespace da::console
