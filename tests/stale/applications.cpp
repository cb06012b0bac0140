#include "tests/stale/applications.h"

namespace da::stale {

Applications::Applications(const std::filesystem::path& directory)
    : mousepad{.name = "mousepad",
               .command = "mousepad " + (directory / "text.txt").string(),
               .title = "Mousepad",
               .reset_keys = {"Escape", "Escape", "ctrl+Home"},
               .content = {300, 250},
               .control = "Search",
               .own_dialog_chord = "ctrl+r"},
      dialog{.name = "mousepad's dialog",
             .command = "mousepad " + (directory / "text.txt").string(),
             .title = "Mousepad",
             .dialog_chord = "ctrl+r",
             .dialog_title = "Find and Replace",
             .reset_keys = {"ctrl+a"},
             .field_text = "quick",
             .content = {186, 45},
             .control = "Find",
             .field_chord = "Tab"},
      featherpad{.name = "featherpad",
                 .command = "featherpad " + (directory / "text.txt").string(),
                 .title = "text.txt",
                 .reset_keys = {"Escape", "ctrl+Home"},
                 .content = {300, 250},
                 .control = "Jump to",
                 .field_chord = "ctrl+f",
                 .own_dialog_chord = "ctrl+o",
                 .restart = Restart::kWhenNeeded},
      featherpad_tab(featherpad),
      calculator{.name = "gnome-calculator",
                 .command = "gnome-calculator",
                 .title = "Calculator",
                 .reset_keys = {"Escape"},
                 .content = {150, 182},
                 .control = "7"},
      xterm{.name = "xterm",
            .command =
                "xterm -bc -T printing -geometry 80x24+60+60 -e tail -n 20 -f " + (directory / "lines.txt").string(),
            .title = "printing",
            .content = {14, 184},
            .restart = Restart::kForEachCase},
      xmessage{.name = "xmessage",
               .command = "xmessage -title question -geometry 260x120+300+200 -buttons Yes:0,No:1 Shall it be done?",
               .title = "question",
               .content = {20, 34},
               .restart = Restart::kForEachCase} {
  featherpad_tab.name = "featherpad's tab";
  featherpad_tab.control = "text.txt";
}

}  // namespace da::stale
