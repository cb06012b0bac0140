"""The turns of a Python program with requests: our planner's questions, word for word, each with its screenshot encoded
again; the answer is read with json and checked by hand. All use one connection.

  requests_turn.py URL DIRECTORY     the questions that turn_server.py stored; prints JSON: milliseconds from the
                                     screenshot's bytes to the question's arrival, and from the answer to checked steps
"""
import base64
import json
import pathlib
import sys
import time

import requests

# Our planner waits for a quiet screen before each turn, so caches are as cold here.
REST_S = 0.3
KEYS = {"down", "up", "enter", "tab", "escape", "home", "end"}


def image_part(body):
    (part,) = [part for part in body["messages"][-1]["content"] if part["type"] == "image_url"]
    return part["image_url"]


def check(plan):
    if set(plan) != {"steps", "done"} or len(plan["steps"]) > 4 or (plan["steps"] and plan["done"] is not None):
        raise ValueError("not a plan")
    for step in plan["steps"]:
        if set(step) != {"tool", "args", "human_readable_justification"} or not step["human_readable_justification"]:
            raise ValueError("not a step")
        if step["tool"] != "press" or set(step["args"]) != {"key", "keys"} or step["args"]["key"] not in KEYS:
            raise ValueError("not a key")


def main():
    url, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    bodies = [json.loads(file.read_bytes()) for file in sorted(directory.glob("*.json"))]
    images = [base64.b64decode(image_part(body)["url"].split(",", 1)[1]) for body in bodies]
    session = requests.Session()
    session.trust_env = False
    asked, read = [], []
    for warm in (False, True):
        for body, image in zip(bodies, images):
            time.sleep(REST_S if warm else 0)
            begun = time.monotonic_ns()
            image_part(body)["url"] = "data:image/png;base64," + base64.b64encode(image).decode()
            response = session.post(url, json=body, headers={"Authorization": "Bearer key", "X-Peer": "requests"},
                                    timeout=60)
            response.raise_for_status()
            check(json.loads(response.json()["choices"][0]["message"]["content"]))
            ended = time.monotonic_ns()
            if warm:
                asked.append((int(response.headers["X-Arrived"]) - begun) / 1e6)
                read.append((ended - int(response.headers["X-Answered"])) / 1e6)
    json.dump({"asked": asked, "read": read, "image_bytes": [len(image) for image in images]}, sys.stdout)


if __name__ == "__main__":
    main()
