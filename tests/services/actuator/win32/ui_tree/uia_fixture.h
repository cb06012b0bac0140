// A UiaTree over the providers of fake_uia.h: a window `root_` with the elements that a test adds, and `focused_`.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "services/actuator/desktop/win32/ui_tree/uia/uia_tree.h"
#include "tests/services/actuator/win32/ui_tree/fake_uia.h"

namespace da::actuator {

using fake_uia::Id;
using fake_uia::node;
using fake_uia::Node;
using fake_uia::Place;
using fake_uia::Text;
namespace uia = win32::uia;

// Control types.
inline constexpr int kButton = 50000;
inline constexpr int kEdit = 50004;
inline constexpr int kListItem = 50007;
inline constexpr int kList = 50008;
inline constexpr int kCustom = 50025;
inline constexpr int kGroup = 50026;
inline constexpr int kDocument = 50030;
inline constexpr int kWindow = 50032;
inline constexpr int kPane = 50033;

class NoWindows final : public Windows {
 public:
  Result<std::vector<WindowInfo>> list() override { return std::vector<WindowInfo>(); }
  Result<std::optional<WindowInfo>> foreground() override { return std::optional<WindowInfo>(); }
  Result<std::optional<WindowInfo>> window_at(Point) override { return std::optional<WindowInfo>(); }
  Result<void> focus(const std::string&, MonoTime) override { return ok(); }
  Result<void> close(const std::string&) override { return ok(); }
  Result<Ending> terminate(std::uint32_t, std::uint64_t, const Checkpoint&, MonoTime) override {
    return Ending::kKilled;
  }
};

class UiaTreeTest : public ::testing::Test {
 protected:
  UiaTreeTest() { root_->properties[uia::kBoundingRectangle] = Place{0, 0, 400, 300}; }

  win32::UiaTree& tree() {
    if (!tree_) {
      const auto factory = [root = root_, focused = focused_]() -> Result<win32::ComPtr<uia::Automation>> {
        return win32::ComPtr<uia::Automation>(new fake_uia::FakeAutomation(root, focused));
      };
      tree_ = *win32::UiaTree::open(windows_, factory, system_clock());
    }
    return *tree_;
  }
  static MonoTime soon(int ms = 2000) { return system_clock().now() + Milliseconds(ms); }
  ElementTree read(std::uint32_t max_nodes = 5000, int ms = 5000) {
    const auto read = tree().read(window_, {max_nodes, soon(ms)});
    EXPECT_TRUE(read) << read.error().message;
    return read.value_or(ElementTree());
  }

  NoWindows windows_;
  WindowInfo window_{.id = "0x1234", .title = "App", .pid = 77};
  std::shared_ptr<Node> root_ = node(1, kWindow, L"App");
  std::shared_ptr<Node> focused_ = node(9, kEdit, L"Name");
  std::unique_ptr<win32::UiaTree> tree_;
};

}  // namespace da::actuator
