"""Reads a report of `da-console report` with programs that are not ours: Python's HTML parser and zlib.

    page = Page(file.read_text())
    page.images        # Bytes of each data: URL.
    page.text()        # What a reader sees.

Page raises AssertionError for anything that a report must not contain: scripts, handlers, foreign addresses, tags that are
not closed, ids that are not unique.
"""

import base64
import html.parser
import re
import struct
import zlib

TAGS = set("""html head meta title style body header main footer section div p h1 h2 h3 span b bdi a code pre dl dt dd ul
    li table thead tbody tr th td details summary figure figcaption label input fieldset br svg defs image use rect path g
    line text""".split())
VOID = {"meta", "br", "input"}
ATTRIBUTES = set("""lang charset http-equiv content name class id href type checked aria-label aria-hidden role viewbox
    width height x y x1 x2 y1 y2 d text-anchor""".split())
DATA = re.compile(r"data:(image/png|image/jpeg);base64,([A-Za-z0-9+/]+=*)")
POLICY = ("default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'")


class Page(html.parser.HTMLParser):
    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.images, self.ids, self.links, self.rectangles, self._open, self._text = [], [], [], [], [], []
        self.policy = None
        self.feed(page)
        self.close()
        assert not self._open, f"not closed: {self._open}"
        assert len(self.ids) == len(set(self.ids)), f"not unique: {self.ids}"
        assert set(self.links) <= set(self.ids), f"links to nothing: {set(self.links) - set(self.ids)}"
        assert self.policy == POLICY, self.policy

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        assert tag in TAGS, f"<{tag}> {values}"
        assert set(values) <= ATTRIBUTES, f"<{tag}> has {set(values) - ATTRIBUTES}"
        if tag not in VOID:
            self._open.append(tag)
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "rect":
            self.rectangles.append([float(values[name]) for name in ("x", "y", "width", "height")])
        self._note_address(tag, values.get("href"))

    def _note_address(self, tag, address):
        if address is None:
            return
        if tag == "image":
            kind, data = DATA.fullmatch(address).groups()
            self.images.append((kind, base64.b64decode(data, validate=True)))
        else:
            assert address.startswith("#"), address
            self.links.append(address[1:])

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag):
        assert self._open and self._open.pop() == tag, f"</{tag}> closes another"

    def handle_data(self, data):
        if self._open and self._open[-1] != "style":
            self._text.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data):
        raise AssertionError(f"a declaration: {data}")

    def handle_pi(self, data):
        raise AssertionError(f"an instruction: {data}")

    def text(self):
        return "".join(self._text)


def png_pixels(image):
    """Returns width, height and rows of bytes of a PNG with 8-bit RGB or RGBA pixels (RFC 2083), checking everything."""
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, header = 8, b"", None
    while at < len(image):
        size, kind = struct.unpack_from(">I4s", image, at)
        content = image[at + 8:at + 8 + size]
        assert zlib.crc32(kind + content) == struct.unpack_from(">I", image, at + 8 + size)[0], kind
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        if kind == b"IDAT":
            data += content
        at += 12 + size
    width, height, depth, colours = header[:4]
    assert depth == 8 and colours in (2, 6) and header[6] == 0, header
    step = 3 if colours == 2 else 4
    raw, stride = zlib.decompress(data), width * step
    assert len(raw) == height * (stride + 1)
    rows, above = [], bytes(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if kind:
            for i in range(stride):
                left, up = row[i - step] if i >= step else 0, above[i]
                corner = above[i - step] if i >= step else 0
                row[i] = (row[i] + _predicted(kind, left, up, corner)) & 255
        rows.append(bytes(row))
        above = rows[-1]
    return width, height, [[tuple(row[x:x + 3]) for x in range(0, stride, step)] for row in rows]


def _predicted(kind, left, up, corner):
    if kind < 4:
        return (left, up, (left + up) // 2)[kind - 1]
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))
