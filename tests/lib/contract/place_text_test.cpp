#include "lib/contract/place_text.h"

#include <gtest/gtest.h>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"

namespace da::contract {
namespace {

// An image of half the size of a desktop with the origin -100,-50.
v1::CoordinateContract half() {
  v1::CoordinateContract image;
  *image.mutable_desktop() = to_proto(Rect{-100, -50, 2000, 1000});
  image.set_image_width(1000);
  image.set_image_height(500);
  return image;
}

TEST(PlaceText, UsesDesktopPixelsForPeopleAndImagePixelsForModels) {
  EXPECT_EQ(place_text({-20, 300}), "at -20,300");
  EXPECT_EQ(place_text(half(), {-20, 300}), "at 40,175");
  EXPECT_EQ(place_text(half(), {1900, 300}), "outside the screen");
}

TEST(PlacesInImage, MapsEveryPlaceOfASentence) {
  EXPECT_EQ(places_in_image(half(), "\"a\" (button at 300,150), \"b\" (text at -100,-50) and at 1899,949"),
            "\"a\" (button at 200,100), \"b\" (text at 0,0) and at 999,499");
  EXPECT_EQ(places_in_image(half(), "at 300,150"), "at 200,100");
  EXPECT_EQ(places_in_image(half(), "the point at 5000,1 is gone"), "the point outside the screen is gone");
}

TEST(PlacesInImage, LeavesQuotedTextUnchanged) {
  for (const char* foreign : {"at 300,150", "\" at 300,150", "\\", "\\\" at 300,150 \"", "x\" at 300,150"}) {
    const std::string quoted = quote_foreign(foreign);
    EXPECT_EQ(places_in_image(half(), quoted + " at 300,150"), quoted + " at 200,100") << quoted;
  }
}

TEST(PlacesInImage, LeavesOtherTextUnchanged) {
  for (const char* text : {"", "at", "at ", "at 5", "at 5,", "at 5,x", "at 300,150px", "flat 300,150", "at 300, 150",
                           "at 99999999999,1", "at noon", "a \" that is not closed"}) {
    EXPECT_EQ(places_in_image(half(), text), text);
  }
}

TEST(PlacesInImage, MapsPlaceAfterUnpairedQuotationMark) {
  EXPECT_EQ(places_in_image(half(), "a 7\" screen at 300,150"), "a 7\" screen at 200,100");
}

TEST(PlacesInImage, RemovesPlacesWithoutImage) {
  EXPECT_EQ(places_in_image({}, "\"Save\" (push button at 300,150) shows"), "\"Save\" (push button) shows");
}

}  // namespace
}  // namespace da::contract
