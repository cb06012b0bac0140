#include "lib/contract/json/json_places.h"

#include <algorithm>
#include <vector>

namespace da::contract {
namespace {

using nlohmann::json;
using Event = json::parse_event_t;

// An object or a list that is open while the parser passes through it.
struct Level {
  std::string pointer;
  bool list = false;
  std::size_t next = 0;  // Index of the next item of a list.
  std::string key;       // Of the member whose value follows.
  std::size_t key_at = 0;
};

class PlaceFinder {
 public:
  PlaceFinder(std::string_view text, const std::set<std::string>& wanted) : text_(text), wanted_(wanted) {}

  void read(Event event, std::size_t at, const json& parsed) {
    if (event == Event::key) {
      levels_.back().key = parsed.get<std::string>();
      levels_.back().key_at = at;
    } else if (event == Event::object_end || event == Event::array_end) {
      levels_.pop_back();
    } else {
      std::string pointer = begin_value(at);
      if (event != Event::value) levels_.push_back({std::move(pointer), event == Event::array_start});
    }
  }

  bool done() const { return found_.size() == wanted_.size(); }
  std::map<std::string, JsonPlace> take() { return std::move(found_); }

 private:
  std::string begin_value(std::size_t at) {
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
  PlaceFinder finder(text, pointers);
  TokenPlaces places(text);
  // False discards the values, which nobody needs; but then the parser skips what is inside of them.
  const auto watch = [&](int, Event event, json& parsed) {
    const std::size_t at = places.begin_of(event);
    if (!finder.done()) finder.read(event, at, parsed);
    return true;
  };
  const auto parsed = json::parse(places.begin(), places.end(), watch, false);
  return finder.take();
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

std::size_t TokenPlaces::begin_of(Event event) {
  if (event == Event::object_end || event == Event::array_end) return read_ - std::min<std::size_t>(read_, 1);
  // Between two tokens stand only these. After a number, the parser has read one byte more, which is one of these, too.
  const std::size_t found = text_.find_first_not_of(" \t\r\n,:]}", end_);
  end_ = read_;
  return std::min(found, text_.size());
}

}  // namespace da::contract
