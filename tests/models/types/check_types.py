#!/usr/bin/env python3
"""Checks recorded request bodies against the vendors' published types of requests.

    check_types.py --cache DIR REQUESTS...     exit code 1 and a line for each error if a body does not have its type

REQUESTS are files written by model_server.py: one JSON line {"number", "api", "headers", "body"} per request. Each body
becomes a literal in a TypeScript file that assigns it to the SDK's type, for the compiler to check. Literals, because
TypeScript finds unknown fields only in literals. The SDKs (package-lock.json) are installed into DIR if they are
missing; only that needs the network.

Not covered:
  - Gemini's request as a whole: its SDK's call has another form (model, contents, config), and the SDK has no type of
    the JSON. The common parts are checked: Content, GenerationConfig, Tool, ToolConfig, SafetySetting, with all inside
    them. The names of the outermost fields come from the reference, not from the SDK.
  - Long strings: images are shortened before the compiler sees them. The model server checks their content.
  - Unions without a distinguishing field: TypeScript accepts a field of any member.
  - Requests to compatible servers: their own fields are errors here.
"""

import argparse
import fcntl
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LONGEST_STRING = 500  # Characters; longer strings are cut, so that the compiler does not read images.
TSCONFIG = {
    "compilerOptions": {
        "strict": True, "noEmit": True, "target": "es2022", "module": "nodenext", "moduleResolution": "nodenext",
        # Does not check the packages' own declarations.
        "skipLibCheck": True, "types": []},
    "include": ["*.ts"]}

OPENAI_CHAT = """import type OpenAI from "openai";
export const body: OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming = """
OPENAI_RESPONSES = """import type OpenAI from "openai";
export const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = """
# Each version of the API has its own SDK: package.json.
ANTHROPIC_SDK = {"2023-06-01": "@anthropic-ai/sdk-2023-06-01"}
ANTHROPIC_NEWEST_SDK = "@anthropic-ai/sdk"
# Enums of the SDK are strings on the wire, but TypeScript accepts only the enum's values.
GEMINI_WIRE = """type Wire<T> = T extends string ? `${T}` : T extends (infer E)[] ? Wire<E>[]
  : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
"""
GEMINI = f"""import type {{
  Content, GenerateContentConfig, GenerationConfig, SafetySetting, Tool, ToolConfig }} from "@google/genai";
{GEMINI_WIRE}""" + """interface GenerateContentRequest {
  contents: Wire<Content>[];
  systemInstruction?: Wire<Content>;
  generationConfig?: Wire<GenerationConfig & Pick<GenerateContentConfig, "imageConfig">>;
  safetySettings?: Wire<SafetySetting>[];
  tools?: Wire<Tool>[];
  toolConfig?: Wire<ToolConfig>;
  cachedContent?: string;
  continuationToken?: string;
  labels?: Record<string, string>;
  serviceTier?: Wire<GenerateContentConfig["serviceTier"]>;
  store?: boolean;
}
export const body: GenerateContentRequest = """
ERROR = re.compile(r"source_(\d+)\.ts\((\d+),\d+\): (error TS\d+: .*)")


def opening(request):
    """The TypeScript before the literal; None if the request belongs to no API with types (a list of models)."""
    if request["api"] == "anthropic":
        headers = {name.lower(): value for name, value in request["headers"].items()}
        sdk = ANTHROPIC_SDK.get(headers.get("anthropic-version"), ANTHROPIC_NEWEST_SDK)
        messages = "Beta.Messages" if "anthropic-beta" in headers else "Messages"
        return (f'import type Anthropic from "{sdk}";\n'
                f"export const body: Anthropic.{messages}.MessageCreateParamsNonStreaming = ")
    return {"openai_chat": OPENAI_CHAT, "openai_responses": OPENAI_RESPONSES, "gemini": GEMINI}.get(request["api"])


def shortened(value):
    if isinstance(value, str):
        return value[:LONGEST_STRING]
    if isinstance(value, list):
        return [shortened(held) for held in value]
    if isinstance(value, dict):
        return {name: shortened(held) for name, held in value.items()}
    return value


def install(cache, packages=HERE):
    """A directory in the cache with the node_modules of the lock file in `packages`; the first caller installs them."""
    lock_file = packages / "package-lock.json"
    home = cache / hashlib.sha256(lock_file.read_bytes()).hexdigest()[:16]
    home.mkdir(parents=True, exist_ok=True)
    with open(home / "install.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "installed").exists():
            for name in ("package.json", "package-lock.json"):
                shutil.copy(packages / name, home)
            run = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=home,
                                 capture_output=True, text=True)
            if run.returncode != 0:
                sys.exit(f"npm ci in {home} failed:\n{run.stdout}{run.stderr}")
            (home / "installed").touch()
    return home


def read_requests(paths):
    """The requests with their names: (request, "FILE request N (API)")."""
    for path in paths:
        for line, text in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
            request = json.loads(text)
            if opening(request) is not None and request["body"] is not None:
                yield request, f"{path} request {request.get('number', line)} ({request['api']})"


def source_of(request):
    return f"{opening(request)}{json.dumps(shortened(request['body']), indent=1)};\n"


def compile_all(home, sources):
    """The compiler's errors: (index of the source, line, message)."""
    with tempfile.TemporaryDirectory(dir=home, prefix="check-") as directory:
        folder = pathlib.Path(directory)
        (folder / "tsconfig.json").write_text(json.dumps(TSCONFIG))
        (folder / "package.json").write_text('{"type": "module"}')
        for index, source in enumerate(sources):
            (folder / f"source_{index}.ts").write_text(source)
        run = subprocess.run([home / "node_modules/.bin/tsc", "--project", folder, "--pretty", "false"], cwd=folder,
                             capture_output=True, text=True)
        errors = []
        for found in ERROR.finditer(run.stdout):
            index, line = int(found[1]), int(found[2])
            errors.append((index, sources[index].splitlines()[line - 1].strip(), found[3]))
        if run.returncode != 0 and not errors:
            sys.exit(f"check_types: tsc failed:\n{run.stdout}{run.stderr}")
        return sorted(errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", required=True, type=pathlib.Path, help="where the SDKs are, or are installed")
    parser.add_argument("requests", nargs="+", help="files of kept requests")
    options = parser.parse_args()
    kept = list(read_requests(options.requests))
    if not kept:
        sys.exit("check_types: no request to check in these files")
    errors = compile_all(install(options.cache.resolve()), [source_of(request) for request, _ in kept])
    for index, source, words in errors:
        print(f"{kept[index][1]}: {words}\n    at: {source}")
    print(f"{len(kept)} requests, {len(errors)} errors")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
