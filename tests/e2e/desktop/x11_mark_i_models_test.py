"""Mark-I's profiles that ask a model, or give it tasks: the model is the fake server of tests/models."""

import json

import x11
from models import KEY, ModelTest, image_of, say, size_of, step, suggest
from x11_mark_i_test import PanelTest

CROSS = {"element_label": "white cross", "box": [20, 20, 48, 48], "found": True}
ITEMS = {"data": {"items": [{"name": "cross"}, {"name": "corner"}]}}


class MarkIModels(PanelTest, ModelTest):
    def run_with_model(self, name, entries):
        with self.model("gemini", entries) as server:
            self.sandbox.environment[server.provider.key_variable] = KEY
            logged = self.run_profile(name, "--base-url", server.base_url)
        self.assert_as_scripted(server)
        return server, logged

    def test_questions_to_a_model_are_answered_typed_and_clicked(self):
        server, logged = self.run_with_model("gemini", [
            {"text": "Yes, it is.", "expect": ["Is the light orange?"]},
            {"text": json.dumps(CROSS), "expect": ["Where is the white cross?"]},
            {"text": json.dumps(ITEMS), "expect": ["List the items as JSON."]}])
        self.assertEqual({"clicks": [["icon", 1, 24, 24]], "text": "Yes, it is.", "sent": [], "light": "orange"},
                         self.state())
        self.assertEqual([("INFO", "the cross is there"), ("INFO", "the first item is cross")], logged)
        self.assertEqual([(60, 60), (120, 100), (120, 100)],
                         [size_of(image_of(request)) for request in server.requests()])

    def test_tasks_of_a_model_are_carried_out(self):
        self.run_with_model("tasks", [
            say(step("press", key="enter"), expect=["Press enter in the text field."]), say(done="Enter is pressed."),
            suggest("PRESS_KEY_SIMPLE", key_name="enter"), suggest("NONE")])
        self.assertEqual({"clicks": [], "text": "", "sent": ["", ""], "light": "orange"}, self.state())


if __name__ == "__main__":
    x11.main()
