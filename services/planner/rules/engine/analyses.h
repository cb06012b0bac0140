// What is known of the screen in one cycle. The engine asks for what is missing (Question), and evaluates again when it
// is here. Plain values, filled by one thread, then read by any.
//
// Results are in pixels of their region, except for elements, which are in desktop pixels. Texts are foreign.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

// The region is not on the screen now, such as when its window is closed.
struct Unavailable {
  std::string reason;
};

// An Error is a mistake in the rule or in its files, such as a template that is larger than the region.
template <class T>
using Answer = std::variant<T, Unavailable, Error>;

struct TemplateSeen {
  std::optional<Rect> best;  // The most similar place, however poor; nullopt: none was compared.
  double confidence = -1;
  bool ambiguous = false;  // Another place is as good, or nearly.
};

struct OcrWord {
  std::string text;
  Rect area;
};

struct OcrSeen {
  std::string text;
  double average_confidence = 0;  // Percent.
  std::vector<OcrWord> words;
};

struct ColourShare {
  Bgr colour;
  double percent = 0;
};

enum class QuestionKind { kArea, kPixel, kAverage, kDominant, kTemplate, kOcr, kElement, kModel };

struct Question {
  QuestionKind kind = QuestionKind::kArea;
  std::optional<std::size_t> region;  // Index; unset for kElement without a region.
  int x = 0;                          // kPixel.
  int y = 0;
  std::size_t image = 0;  // kTemplate: index.
  double least = 0;       // kTemplate: confidence that is needed.
  std::string name{};     // kElement: name and role. kModel: prompt and model (empty: the default).
  std::string role{};
  std::size_t rule = 0;  // The first rule that asks.
};

struct RegionAnalyses {
  std::optional<Answer<Rect>> area;  // Desktop pixels. If it is no Rect, it is the answer to everything.
  std::optional<Answer<Bgr>> average;
  std::optional<Answer<std::vector<ColourShare>>> dominant;  // Largest share first.
  std::optional<Answer<OcrSeen>> ocr;
  std::map<std::pair<int, int>, Answer<Bgr>> pixels;                          // Keyed by x and y.
  std::map<std::size_t, Answer<TemplateSeen>> templates;                      // Keyed by the template's index.
  std::map<std::pair<std::string, std::string>, Answer<std::string>> models;  // Keyed by prompt and model.
  // The region kept changing while models answered, so places in their answers may be of an earlier content.
  bool models_aged = false;
};

struct Analyses {
  std::vector<RegionAnalyses> regions;  // Indexed like the profile's regions.
  // Visible elements with this name and role, best first.
  std::map<std::pair<std::string, std::string>, Answer<std::vector<v1::UiNode>>> elements;
};

}  // namespace da::planner::rules
