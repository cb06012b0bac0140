"""Actions in the format of each provider's computer tool: one class for each tool.

    words = OpenAi()
    entry = entry_of(words, words.click((100, 200)), thinking="...")     # An entry of the model server's script.

Callers pass desktop pixels. A call contains the coordinates that a model would read from the image that it received.
Names and units are from the providers' documents; this file shares no code with the product.
"""


class Words:
    planner = ""
    model = None  # None: the provider's default model.
    tool = None  # planner.computer_tool
    told = "is not possible here"  # Part of the error that the model gets for unknown().

    def __init__(self, desktop=(1280, 800)):
        self.desktop, self.image = desktop, desktop

    def sees(self, size):
        """Sets the size of the image that the model received."""
        self.image = size

    def at(self, place):
        return [at * size // whole for at, size, whole in zip(place, self.image, self.desktop)]

    def in_one_call(self, *actions):
        """Returns the calls of one reply that contains all these actions."""
        return list(actions)


class OpenAi(Words):
    planner = "openai-computer"
    told = "the action click has the button"

    def call(self, **action):
        return {"name": "computer", "arguments": action}

    def place(self, place):
        return dict(zip("xy", self.at(place)))

    def click(self, place):
        return self.call(type="click", button="left", **self.place(place))

    def move(self, place):
        return self.call(type="move", **self.place(place))

    def type(self, text):
        return self.call(type="type", text=text)

    def chord(self, *keys):
        return self.call(type="keypress", keys=[key.upper() for key in keys])

    def scroll_down(self, place, notches):
        return self.call(type="scroll", scroll_x=0, scroll_y=100 * notches, **self.place(place))

    def drag(self, start, end):
        return self.call(type="drag", path=[self.place(start), self.place(end)])

    def look(self):
        return self.call(type="screenshot")

    def unknown(self):
        return self.call(type="click", button="back", **self.place((10, 10)))

    def in_one_call(self, *actions):
        return [{"name": "computer", "arguments": {"actions": [action["arguments"] for action in actions]}}]

    def doubted(self, action):
        return {**action, "safety_checks": [
            {"id": "sc_1", "code": "malicious_instructions", "message": "The screen gives orders."}]}


class Anthropic(Words):
    planner = "anthropic-computer"

    def __init__(self, tool=None, model=None, **options):
        super().__init__(**options)
        self.tool, self.model = tool, model

    def call(self, action, **arguments):
        if self.tool == "computer_toolset_20260801":
            return {"name": action, "arguments": arguments}
        return {"name": "computer", "arguments": {"action": action, **arguments}}

    def click(self, place):
        return self.call("left_click", coordinate=self.at(place))

    def type(self, text):
        return self.call("type", text=text)

    def chord(self, *keys):
        return self.call("key", text="+".join(keys))

    def scroll_down(self, place, notches):
        return self.call("scroll", coordinate=self.at(place), scroll_direction="down", scroll_amount=notches)

    def drag(self, start, end):
        return self.call("left_click_drag", start_coordinate=self.at(start), coordinate=self.at(end))

    def look(self):
        return self.call("screenshot")

    def zoom(self, left_top, right_bottom):
        return self.call("zoom", region=[*self.at(left_top), *self.at(right_bottom)])

    def unknown(self):
        return self.call("hold_key", text="a", duration=1)


class Gemini(Words):
    """The tool of Gemini 3.5."""

    planner = "gemini-computer"

    def call(self, name, **arguments):
        return {"name": name, "arguments": {**arguments, "intent": f"It is time to {name}."}}

    def thousandths(self, place):
        # The middle of the pixel, so that rounding maps it back to the same pixel.
        return [round((at + 0.5) * 1000 / size, 3) for at, size in zip(place, self.desktop)]

    def place(self, place, x="x", y="y"):
        return dict(zip((x, y), self.thousandths(place)))

    def click(self, place):
        return self.call("click", **self.place(place))

    def move(self, place):
        return self.call("move", **self.place(place))

    def type(self, text):
        return self.call("type", text=text)

    def chord(self, *keys):
        return self.call("hotkey", keys=list(keys))

    def scroll_down(self, place, notches):
        return self.call("scroll", direction="down", magnitude_in_pixels=100 * notches, **self.place(place))

    def drag(self, start, end):
        return self.call("drag_and_drop", **self.place(start, "start_x", "start_y"),
                         **self.place(end, "end_x", "end_y"))

    def look(self):
        return self.call("take_screenshot")

    def unknown(self):
        return self.call("key_down", key="a")

    def doubted(self, action):
        doubt = {"decision": "require_confirmation", "explanation": "The screen gives orders."}
        return {**action, "arguments": {**action["arguments"], "safety_decision": doubt}}


class OlderGemini(Gemini):
    """The tool of Gemini 2.5, which has the functions of a browser."""

    model = "gemini-2.5-computer-use-preview-10-2025"

    def call(self, name, **arguments):
        return {"name": name, "arguments": arguments}

    def click(self, place):
        return self.call("click_at", **self.place(place))

    def type(self, text):
        return self.call("type_text_at", text=text, press_enter=False, clear_before_typing=False,
                         **self.place((100, 100)))

    def chord(self, *keys):
        return self.call("key_combination", keys="+".join(keys))

    def scroll_down(self, place, notches):
        return self.call("scroll_at", direction="down", magnitude=notches * 100 * 1000 / self.desktop[1],
                         **self.place(place))

    def drag(self, start, end):
        return self.call("drag_and_drop", **self.place(start), **self.place(end, "destination_x", "destination_y"))

    def look(self):
        """The tool has no screenshot action: hover where the pointer is already."""
        return self.call("hover_at", **self.place((300, 200)))

    def unknown(self):
        return self.call("open_web_browser")


def entry_of(*calls, **entry):
    """Returns an entry of the script with these calls and the given further keys."""
    return {"calls": list(calls), **entry}
