// Reads the arguments of one action of a computer tool strictly: wrong types and unknown arguments are errors. end()
// returns the first error; values that were read after it are meaningless. One thread.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::planner::model {

class ActionFields {
 public:
  // Borrows the JSON, which must live longer.
  ActionFields(std::string action, const nlohmann::json& fields);

  // Null counts as missing.
  bool has(const char* key) const;

  double number(const char* key, double least, double most);
  double number_or(const char* key, double otherwise, double least, double most);
  bool flag(const char* key);  // False if missing.
  std::string text(const char* key);
  std::string text_or(const char* key, std::string otherwise);
  std::string one_of(const char* key, std::initializer_list<std::string_view> allowed);
  std::vector<std::string> texts(const char* key);
  Point point();                // The arguments "x" and "y".
  Point pair(const char* key);  // [x, y]
  std::vector<Point> path(const char* key);
  std::vector<double> numbers(const char* key, std::size_t count);
  // Accepts an argument without reading it.
  void pass_over(const char* key) { read_.insert(key); }

  void refuse(const std::string& why);
  Result<void> end() const;

 private:
  const nlohmann::json& value(const char* key);
  void wrong(const std::string& key, const std::string& wanted, const nlohmann::json& given);
  double number_in(const nlohmann::json& given, const std::string& key, double least, double most);

  const std::string action_;
  const nlohmann::json& fields_;
  std::set<std::string, std::less<>> read_;
  std::optional<Error> error_;
};

}  // namespace da::planner::model
