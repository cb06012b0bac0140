#include "services/console/profiles/added_text.h"

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "services/console/shell_word.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using Json = nlohmann::ordered_json;

std::string numbers(const Rect& rect) {
  return std::to_string(rect.x) + "," + std::to_string(rect.y) + "," + std::to_string(rect.width) + "," +
         std::to_string(rect.height);
}

std::string place_words(const AddToProfileOptions& options, const Place& place) {
  std::string words = place.area == Rect() ? "all" : rect_text(place.area);
  if (place.pattern.empty()) return words;
  words += " of the window whose title contains " + quote_foreign(options.window);
  if (place.window_title) words += ", now " + quote_foreign(*place.window_title);
  if (place.on_desktop) words += " at " + rect_text(*place.on_desktop);
  return words;
}

// Flags of `analyze`.
std::string place_flags(const AddToProfileOptions& options, const Place& place) {
  std::string flags;
  if (!place.pattern.empty()) flags += " --window " + shell_word(options.window);
  if (!place.area.empty()) flags += " --region " + numbers(place.area);
  return flags;
}

std::string counts(const Json& added) {
  const auto errors = added.value("errors", std::size_t{0});
  const auto warnings = added.value("warnings", std::size_t{0});
  return "errors: " + std::to_string(errors) + ", warnings: " + std::to_string(warnings);
}

}  // namespace

std::string added_text(const AddToProfileOptions& options, const Place& place, const Json& added) {
  const std::string profile = text_of(options.profile);
  const std::string picture = added.value("picture", "");
  const bool is_region = picture.empty();
  std::string text = std::string("added ") + (is_region ? "region " : "template ") + quote_foreign(options.name, 60) +
                     " to " + escape_foreign(profile, 300) + ": ";
  text += (is_region ? "" : escape_foreign(picture, 300) + ", ") + place_words(options, place) + "\n";
  for (const std::string& note : place.notes) text += "note: " + escape_foreign(note) + "\n";
  if (added.value("errors", 0) + added.value("warnings", 0) > 0) {
    text += "note: the profile has " + counts(added) + "; see da-console profile check " + shell_word(profile) + "\n";
  }
  if (is_region) {
    text += "try it: da-console analyze" + place_flags(options, place) + " --average --ocr\n";
  } else {
    text += "try it: da-console analyze --template " + shell_word(picture) + "\n";
  }
  return text + "        da-console profile explain " + shell_word(profile) + "\n";
}

std::string added_json(const AddToProfileOptions& options, const Place& place, const Json& added) {
  Json line = {{"profile", text_of(options.profile)}};
  line.update(added);
  if (place.on_desktop) {
    const Rect& at = *place.on_desktop;
    line["on_desktop"] = {{"x", at.x}, {"y", at.y}, {"width", at.width}, {"height", at.height}};
  }
  if (place.window_title) line["window_title"] = *place.window_title;
  line["notes"] = place.notes;
  return ordered_json_line(line);
}

}  // namespace da::console
