"""Writes a PDF without any library: each page has a large title, and page n has the colour COLOURS[n % 3]."""

COLOURS = ((1, 0.6, 0.6), (0.6, 1, 0.6), (0.6, 0.6, 1))


def write_pdf(file, count):
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>",
               b"<< /Type /Pages /Count %d /Kids [%s] >>" % (count, b" ".join(b"%d 0 R" % (4 + 2 * page) for page in range(count))),
               b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for page in range(count):
        colour = b" ".join(b"%g" % part for part in COLOURS[page % 3])
        text = b"%s rg 0 0 400 300 re f 0 g BT /F1 36 Tf 60 150 Td (Chapter %d) Tj ET" % (colour, page + 1)
        objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents %d 0 R "
                       b"/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * page))
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text))
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    file.write_bytes(out)
    return file
