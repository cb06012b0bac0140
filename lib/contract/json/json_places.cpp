#include "lib/contract/json/json_places.h"

#include <algorithm>
#include <vector>

#include "lib/contract/json/json_events.h"

namespace da::contract {
namespace {

using nlohmann::json;

// An object or a list that is open while the parser passes through it.
struct Level {
  std::string pointer;
  bool list = false;
  std::size_t next = 0;  // Index of the next item of a list.
  std::string key;       // Key of the member whose value follows.
  std::size_t key_at = 0;
  bool leads = true;  // A wanted value may be inside. Otherwise no pointers are made: they could be long and many.
};

class PlaceFinder : public JsonEvents<json, PlaceFinder> {
 public:
  PlaceFinder(std::string_view text, const std::set<std::string>& wanted)
      : text_(text), wanted_(wanted), places_(text) {}

  std::map<std::string, JsonPlace> find() && {
    json::sax_parse(places_.begin(), places_.end(), this);
    return std::move(found_);
  }

  bool value(const json&) {
    begin_value();
    return goes_on();
  }
  bool open(const json& container) {
    std::string pointer = begin_value();
    const bool leads = in_leading() && leads_to_wanted(pointer + "/");
    levels_.push_back({.pointer = std::move(pointer), .list = container.is_array(), .leads = leads});
    return goes_on();
  }
  bool close() {
    levels_.pop_back();
    return true;
  }
  bool key(std::string& key) {
    levels_.back().key_at = places_.begin_of_token();
    if (in_leading()) levels_.back().key = std::move(key);
    return true;
  }
  void malformed(std::size_t, const char*) {}

 private:
  bool goes_on() const { return found_.size() < wanted_.size(); }
  bool in_leading() const { return levels_.empty() || levels_.back().leads; }
  bool leads_to_wanted(const std::string& prefix) const {
    const auto next = wanted_.lower_bound(prefix);
    return next != wanted_.end() && next->starts_with(prefix);
  }

  std::string begin_value() {
    const std::size_t at = places_.begin_of_token();
    if (!in_leading()) return {};
    std::string pointer;
    std::size_t key_at = at;
    if (!levels_.empty()) {
      Level& in = levels_.back();
      pointer = json_pointer(in.pointer, in.list ? std::to_string(in.next++) : in.key);
      if (!in.list) key_at = in.key_at;
    }
    if (wanted_.contains(pointer)) found_[pointer] = {place_of(text_, key_at), place_of(text_, at)};
    return pointer;
  }

  std::string_view text_;
  const std::set<std::string>& wanted_;
  TokenPlaces places_;
  std::map<std::string, JsonPlace> found_;
  std::vector<Level> levels_;
};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

TextPlace place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte);
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 without a line feed.
  const std::string_view line = before.substr(line_begin);
  return {1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          1 + line.size() - static_cast<std::size_t>(std::ranges::count_if(line, is_continuation))};
}

std::string to_text(TextPlace place) {
  return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

std::map<std::string, JsonPlace> find_json_places(std::string_view text, const std::set<std::string>& pointers) {
  return PlaceFinder(text, pointers).find();
}

std::string json_pointer(const std::string& parent, std::string_view key) {
  std::string pointer = parent + "/";
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::size_t TokenPlaces::begin_of_token() {
  // Between two tokens stand only these. After a number, the parser has read one byte more, which is one of these, too.
  const std::size_t found = text_.find_first_not_of(" \t\r\n,:]}", end_);
  end_ = read_;
  return std::min(found, text_.size());
}

}  // namespace da::contract
