#include "tests/services/planner/model/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace da::planner::model {
namespace {

void expect_file(const std::string& name, const std::string& content) {
  const std::string path = std::string(DA_GOLDEN_MODEL_DIR) + "/" + name;
  if (std::getenv("DA_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << content;
    return;
  }
  std::ifstream file(path);
  std::ostringstream kept;
  kept << file.rdbuf();
  EXPECT_EQ(kept.str(), content) << path << " differs; to accept the change: DA_UPDATE_GOLDEN=1 planner_test";
}

}  // namespace

void expect_golden(std::string_view name, std::string_view body) {
  // Ordered, because the order of keys matters.
  expect_file(std::string(name) + ".json", nlohmann::ordered_json::parse(body).dump(2) + "\n");
}

void expect_golden_text(std::string_view name, std::string_view text) {
  expect_file(std::string(name) + ".txt", std::string(text));
}

}  // namespace da::planner::model
