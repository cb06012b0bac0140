// Turns the events of nlohmann::json's parser into five: value, open, close, key, malformed. Each returns whether to go
// on. Used instead of json::parse() with a callback, which needs a time in proportion to the square of a list's length.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace da::contract {

template <class Json, class Derived>
class JsonEvents {
 public:
  using number_integer_t = typename Json::number_integer_t;
  using number_unsigned_t = typename Json::number_unsigned_t;
  using number_float_t = typename Json::number_float_t;
  using string_t = typename Json::string_t;
  using binary_t = typename Json::binary_t;

  bool null() { return self().value(Json(nullptr)); }
  bool boolean(bool value) { return self().value(Json(value)); }
  bool number_integer(number_integer_t value) { return self().value(Json(value)); }
  bool number_unsigned(number_unsigned_t value) { return self().value(Json(value)); }
  bool number_float(number_float_t value, const string_t&) { return self().value(Json(value)); }
  bool string(string_t& value) { return self().value(Json(std::move(value))); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return self().open(Json::object()); }
  bool start_array(std::size_t) { return self().open(Json::array()); }
  bool end_object() { return self().close(); }
  bool end_array() { return self().close(); }
  bool parse_error(std::size_t position, const std::string&, const typename Json::exception& error) {
    self().malformed(position, error.what());
    return false;
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

}  // namespace da::contract
