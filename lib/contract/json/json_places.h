// Line and column of the values of a JSON text, for errors. nlohmann::json does not tell them, so the text is read
// through an iterator that remembers how far the parser has come. Pure; any thread.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

namespace da::contract {

struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;  // Counted in characters, not bytes.
  friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

TextPlace place_of(std::string_view text, std::size_t byte);
// "line 3, column 5"
std::string to_text(TextPlace place);

struct JsonPlace {
  TextPlace key;  // Place of a member's key; an item of a list has no key, so this equals `value`.
  TextPlace value;
};

// The places of the values with these JSON pointers ("" is the whole text). Values that the text lacks are missing, and
// of a malformed text all values after its fault.
std::map<std::string, JsonPlace> find_json_places(std::string_view text, const std::set<std::string>& pointers);

// "/rules/3" and "a/b" give "/rules/3/a~1b".
std::string json_pointer(const std::string& parent, std::string_view key);

// Gives a text to nlohmann::json's parser, and tells where the tokens of its events begin. Lives as long as the parser.
class TokenPlaces {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;
    Iterator(const char* at, std::size_t* read) : at_(at), read_(read) {}
    reference operator*() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      ++*read_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const char* at_;
    std::size_t* read_;
  };

  explicit TokenPlaces(std::string_view text) : text_(text) {}
  TokenPlaces(const TokenPlaces&) = delete;
  TokenPlaces& operator=(const TokenPlaces&) = delete;
  Iterator begin() { return {text_.data(), &read_}; }
  Iterator end() { return {text_.data() + text_.size(), &read_}; }

  // The first byte of the token that the parser has read last. Call it once for each key, and for each value and list
  // or object that begins.
  std::size_t begin_of_token();

 private:
  std::string_view text_;
  std::size_t read_ = 0;  // Bytes that the parser has read.
  std::size_t end_ = 0;   // End of the last token that begins a value or is a key.
};

}  // namespace da::contract
