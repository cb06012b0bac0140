"""Reads the headers of a request's images, and checks the vendors' limits of their size.

A vendor either rejects a large image (image_rejected) or shrinks it before its model sees it (image_resized), so that
the model's coordinates do not fit the sent image. Both are violations.
"""

import base64
import binascii
import re
import struct
from typing import NamedTuple

MAGIC = (  # The first bytes of a file.
    ("image/png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", re.compile(rb"\xff\xd8\xff")),
    ("image/gif", re.compile(rb"GIF8[79]a")),
    ("image/webp", re.compile(rb"RIFF....WEBP", re.DOTALL)),
)
DATA_URL = re.compile(r"data:([a-z]+/[a-z0-9.+-]+);base64,(.*)", re.DOTALL)


class Image(NamedTuple):
    place: str
    bytes: int  # File size, before base64.
    width: int  # Pixels; 0 if the header is not read (gif, webp).
    height: int
    detail: str  # OpenAI only; "auto" by default.


class Hard(NamedTuple):
    """Limits beyond which the vendor answers 400."""

    media_types: tuple
    bytes: int  # Of one image.
    count: int  # In one request.
    edge: int  # Pixels; 0: none documented.
    many: int  # With more images than this...
    many_edge: int  # ...no edge may be longer than this.


class Soft(NamedTuple):
    """Limits beyond which the vendor shrinks the image. 0: no limit."""

    model: str  # Regular expression, searched in the model's name; the first matching row counts.
    detail: str  # Regular expression for the whole detail.
    long_edge: int  # Pixels.
    short_edge: int = 0  # Pixels.
    patch: int = 0  # Pixels of the edge of a patch.
    patches: int = 0


# Sources:
#   openai     developers.openai.com/api/docs/guides/images-vision: "Image input requirements" (20 MB an image, 500
#              images; newer editions allow more), "Model sizing behavior", "Tile-based image tokenization"
#   anthropic  platform.claude.com/docs/en/build-with-claude/vision: "General limits" (8000 px, 2000 px with more than
#              20 images, 100 images for models of 200k tokens, 5 MB an image), "Evaluate image size", and of the
#              computer use tool "Handle coordinate scaling" (2576 px and 4784 tokens of 28 px from Opus 4.7 on, before
#              that 1568 px and 1568 tokens)
#   gemini     ai.google.dev/gemini-api/docs/image-understanding (types, 3600 images, 20 MB of request) and for the size
#              Vertex AI's "Image requirements": no limit of pixels, larger ones are scaled to fit 3072 x 3072
PNG_JPEG_WEBP_GIF = ("image/png", "image/jpeg", "image/webp", "image/gif")
HARD = {
    "openai": Hard(PNG_JPEG_WEBP_GIF, 20_000_000, 500, 0, 0, 0),
    "anthropic": Hard(PNG_JPEG_WEBP_GIF, 5_000_000, 100, 8000, 20, 2000),
    "gemini": Hard(("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"), 20_000_000, 3600, 0, 0, 0),
}
SOFT = {
    "openai": (
        Soft("", "low", 0),  # 512 px, which the client requested.
        Soft(r"^(gpt-5\.[4-9]|gpt-[6-9]|computer-use)", "original", 6000, 0, 32, 10_000),
        Soft(r"^(gpt-5\.[5-9]|gpt-[6-9])", "auto", 6000, 0, 32, 10_000),
        Soft(r"^(gpt-5\.[4-9]|gpt-[6-9])", "high|auto", 2048, 0, 32, 2_500),
        Soft(r"^(gpt-5-mini|gpt-5-nano|gpt-5\.[23]|o4-mini|gpt-4\.1-(mini|nano))", "high|auto", 2048, 0, 32, 1_536),
        Soft(r"^(gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|o1|o3)", "high|auto", 2048, 768),
        Soft("", ".*", 2048),
    ),
    "anthropic": (
        Soft(r"opus-4-[789]|(opus|sonnet|haiku|fable|mythos)-[5-9]", ".*", 2576, 0, 28, 4_784),
        Soft("", ".*", 1568, 0, 28, 1_568),
    ),
    "gemini": (Soft("", ".*", 3072),),
}


def media_type_of(data):
    return next((name for name, magic in MAGIC if magic.match(data)), None)


def size_of(data):
    """Width and height of a PNG or JPEG; (0, 0) of others; None if the header is truncated or wrong."""
    media_type = media_type_of(data)
    if media_type == "image/png":
        return struct.unpack(">II", data[16:24]) if data[12:16] == b"IHDR" and len(data) >= 24 else None
    if media_type == "image/jpeg":
        return _jpeg_size(data)
    return (0, 0)


def _jpeg_size(data):
    # ITU T.81, B.1.1.4 and B.2.2: segments of a marker and a length, up to the frame header SOF.
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5:at + 9])
            return (width, height)
        at += 2 + length
    return None


def look_at(media_type, text, place, report, detail="auto"):
    """Checks a base64 image against the request's media type, and adds it to the report."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        report.add("image_base64", place, f"not base64: {error}")
        return
    found = media_type_of(data)
    if found is None and media_type in ("image/heic", "image/heif"):
        report.images.append(Image(place, len(data), 0, 0, detail))
        return
    if found != media_type:
        report.add("image_media_type", place, f"said to be {media_type}, its bytes are {found or 'no known image'}")
        return
    size = size_of(data)
    if size is None or (media_type in ("image/png", "image/jpeg") and 0 in size):
        report.add("image_broken", place, "its header tells no size")
        return
    report.images.append(Image(place, len(data), *size, detail))


def look_at_data_url(url, place, report, detail="auto"):
    match = DATA_URL.fullmatch(url)
    if match:
        look_at(match[1], match[2], place, report, detail)
    elif not re.match(r"https?://[^\s]+$", url):
        report.add("image_url", place, "neither a data: URL in base64 nor an http(s) URL")


def _patches(image, patch):
    return -(-image.width // patch) * -(-image.height // patch)


def _too_large(image, row):
    """The reason why the vendor would resize it; None if it would not."""
    if row.long_edge and max(image.width, image.height) > row.long_edge:
        return f"its long edge is above {row.long_edge} px"
    if row.short_edge and min(image.width, image.height) > row.short_edge:
        return f"its short edge is above {row.short_edge} px"
    if row.patches and _patches(image, row.patch) > row.patches:
        return f"it has more than {row.patches} patches of {row.patch} px"
    return None


def check_limits(vendor, model, report, resized="refuse"):
    hard = HARD[vendor]
    if len(report.images) > hard.count:
        report.add("image_rejected", "", f"{len(report.images)} images, more than {hard.count}")
    edge = hard.many_edge if hard.many and len(report.images) > hard.many else hard.edge
    for image in report.images:
        said = f"{image.width} x {image.height} px"
        if image.bytes > hard.bytes:
            report.add("image_rejected", image.place, f"{image.bytes} bytes, more than {hard.bytes}")
        if edge and max(image.width, image.height) > edge:
            report.add("image_rejected", image.place, f"{said}, an edge is above {edge} px")
            continue
        row = next(row for row in SOFT[vendor] if re.search(row.model, model) and re.fullmatch(row.detail,
                                                                                               image.detail))
        reason = _too_large(image, row)
        if reason is not None and resized == "refuse":
            report.add("image_resized", image.place, f"{said}, {reason}: {model} would not see it as sent")
