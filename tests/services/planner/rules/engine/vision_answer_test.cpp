#include "services/planner/rules/engine/vision_answer.h"

#include <gtest/gtest.h>

namespace da::planner::rules {
namespace {

// The picture shows pixels 10,20 to 110,70 of the region at half their size.
std::string mapped(const std::string& answer) { return boxes_in_region(answer, 50, 25, {10, 20, 100, 50}); }

TEST(VisionAnswer, BoxesOfASmallerPictureBecomeBoxesOfTheRegion) {
  EXPECT_EQ(mapped(R"({"found":true,"box":[1,2,3,4]})"), R"({"box":[12,24,6,8],"found":true})");
  EXPECT_EQ(mapped("```json\n[{\"a\":{\"box\":[0,0,50,25]}},{\"box\":[1.4,0,1,1]}]\n```"),
            R"([{"a":{"box":[10,20,100,50]}},{"box":[13,20,2,2]}])");
}

TEST(VisionAnswer, AnswerAboutTheWholeRegionStaysAsItIs) {
  const std::string answer = "{ \"box\" : [1,2,3,4] }";
  EXPECT_EQ(boxes_in_region(answer, 100, 50, {0, 0, 100, 50}), answer);
  EXPECT_EQ(boxes_in_region(answer, 0, 0, {0, 0, 100, 50}), answer);
}

TEST(VisionAnswer, AnswerWithoutUsableBoxesStaysAsItIs) {
  for (const char* answer :
       {"", "yes", "[1,2,3,4]", "\"box\"", R"({"box":[1,2,3]})", R"({"box":[1,2,3,"4"]})", R"({"box":[1,2,3,1e300]})",
        R"({"box":[1,2,3,-1e308]})", R"({"box":{"box":7}})", R"({"box":[1,2,3,NaN]})", R"({"box":[1,2,3,4])"}) {
    EXPECT_EQ(mapped(answer), answer);
  }
}

TEST(VisionAnswer, DeeplyNestedAnswerIsNoJson) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_FALSE(json_of_answer(deep));
  EXPECT_EQ(mapped(deep), deep);
}

}  // namespace
}  // namespace da::planner::rules
