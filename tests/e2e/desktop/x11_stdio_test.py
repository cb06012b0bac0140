"""A script writes, saves and deletes a file in a real editor through `da-console stdio`."""

import x11
from console import DONE, wait_until
from script import FAIL, SUCCESS, Script

TEXT = "Grüße — 漢字\nzweite Zeile"


class Stdio(x11.DesktopTest):
    def script(self, *flags):
        return Script(self.sandbox, "--desktop", "x11", "--unlock-writes", *flags)

    def say(self, *command):
        run = self.sandbox.run(*command)
        self.assertEqual(DONE, run.process.returncode, run.said())

    def end(self, script):
        script.end()
        self.assert_ends(script.run, DONE)

    def save_as(self, script, file):
        """Opens an editor, types into it and saves, by ids of elements."""
        script.do("launch", command="mousepad")
        script.do("check_element_property", target_description="Mousepad", property="window_open")
        script.do("keyboard.type", text=TEXT)
        script.do("hotkey", keys=["ctrl", "s"])
        script.do("wait_for", target_description="button \"Save\"", secs=20)
        script.do("type_in_described_field", target_description="Name", text_to_type=str(file))
        save = wait_until(lambda: (found := script.element("Save", "push button"))
                          and "enabled" in found["states"] and found, "Save is enabled")
        x, y, width, height = (save["bounds"][side] for side in ("x", "y", "width", "height"))
        self.assertTrue(0 <= x and 0 <= y and width > 0 and height > 0, save)
        script.do("ui.click", element_id=save["element_id"])
        wait_until(file.exists, "the file is saved")

    def test_a_file_is_written_with_exactly_the_typed_text(self):
        file = self.sandbox.path("written.txt")
        script = self.script()
        self.save_as(script, file)
        wait_until(lambda: file.read_bytes() == TEXT.encode(), lambda: f"the file has the text: {file.read_bytes()}")
        wait_until(lambda: [f"{file} - Mousepad"] == x11.titles(), lambda: f"the dialog closes: {x11.titles()}")
        script.do("close_window", title="Mousepad")
        wait_until(lambda: not x11.titles(), "the window closes")
        self.end(script)

    def test_a_snapshot_is_a_tree_of_the_focused_window(self):
        script = self.script()
        script.do("launch", command="mousepad")
        script.do("check_element_property", target_description="Mousepad", property="window_open")
        data = script.do("ui.snapshot")
        (window,) = data["windows"]
        self.assertEqual((x11.active_title(), True), (window["title"], window["focused"]))
        self.assertFalse(data["truncated"])

        def depth(elements):
            return 1 + max((depth(element.get("children", [])) for element in elements), default=0)
        self.assertGreater(depth(window["elements"]), 3)
        names = {element["name"] for element in script.elements()}
        self.assertLessEqual({"File", "Edit"}, names)
        self.assertEqual(FAIL, script.ask("ui.snapshot", scope="no such window")["status"])
        self.end(script)

    def test_an_id_of_a_closed_dialog_is_refused_and_nothing_is_clicked(self):
        file = self.sandbox.path("stale.txt")
        script = self.script()
        self.save_as(script, file)
        script.do("hotkey", keys=["ctrl", "shift", "s"])
        script.do("wait_for", target_description="button \"Cancel\"", secs=20)
        cancel = script.element("Cancel", "push button")
        script.do("ui.click", element_id=cancel["element_id"])
        wait_until(lambda: len(x11.titles()) == 1, "the dialog closes")
        answer = script.ask("ui.click", element_id=cancel["element_id"])
        self.assertEqual(FAIL, answer["status"], answer)
        self.assertIn(answer["data"]["outcome"], ("stale_target", "refused"))
        self.end(script)

    def test_a_file_is_deleted_only_with_an_approval(self):
        file = self.sandbox.path("precious.txt")
        file.write_text("precious")
        script = self.script()
        script.send("file.delete", path=str(file))
        refused = script.asked()
        self.say("deny", refused)
        answer = script.answer()
        self.assertEqual((FAIL, "denied"), (answer["status"], answer["data"]["outcome"]))
        self.assertEqual("precious", file.read_text())
        script.send("file.delete", path=str(file))
        approval = script.run.wait_for(lambda: script.asked() != refused and script.asked())
        self.say("approve", approval)
        self.assertEqual(SUCCESS, script.answer()["status"])
        self.assertFalse(file.exists())
        self.end(script)


if __name__ == "__main__":
    x11.main()
