#include "tests/services/planner/model/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace da::planner::model {

void expect_golden(std::string_view name, std::string_view body) {
  const std::string path = std::string(DA_GOLDEN_MODEL_DIR) + "/" + std::string(name) + ".json";
  // The order of the keys is part of what is kept.
  const std::string pretty = nlohmann::ordered_json::parse(body).dump(2) + "\n";
  if (std::getenv("DA_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << pretty;
    return;
  }
  std::ifstream file(path);
  std::ostringstream kept;
  kept << file.rdbuf();
  EXPECT_EQ(kept.str(), pretty) << path << " differs; where the change is meant: DA_UPDATE_GOLDEN=1 planner_test";
}

}  // namespace da::planner::model
