"""Whether bytes are a whole PNG of the kind that this program keeps: so a damaged profile never breaks a document."""

from __future__ import annotations

import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}  # PNG's colour types: red, green, blue; the same with opacity
_LONGEST_SIDE = 4000  # pixels
_LARGEST_BYTES = 5_000_000


def is_whole_png(data: bytes) -> bool:
    """Whether `data` is a PNG of 8 bits a channel, in colour, not interlaced, whose parts and pixels are all there."""
    if len(data) > _LARGEST_BYTES or not data.startswith(_SIGNATURE):
        return False
    chunks = _chunks(data)
    if chunks is None or len(chunks) < 3 or chunks[0][0] != b"IHDR" or chunks[-1] != (b"IEND", b""):
        return False
    return _holds_pixels(chunks[0][1], b"".join(content for kind, content in chunks if kind == b"IDAT"))


def _chunks(data: bytes) -> list[tuple[bytes, bytes]] | None:
    """Kind and content of each part; None when a length leads beyond the end or a checksum is wrong."""
    found, place = [], len(_SIGNATURE)
    while place < len(data):
        end = place + 12 + int.from_bytes(data[place : place + 4])
        if end > len(data) or zlib.crc32(data[place + 4 : end - 4]) != int.from_bytes(data[end - 4 : end]):
            return None
        found.append((data[place + 4 : place + 8], data[place + 8 : end - 4]))
        place = end
    return found


def _holds_pixels(head: bytes, packed: bytes) -> bool:
    """Whether exactly the pixels that the head promises can be unpacked; never more than these are."""
    width, height = int.from_bytes(head[:4]), int.from_bytes(head[4:8])
    if len(head) != 13 or not (0 < width <= _LONGEST_SIDE and 0 < height <= _LONGEST_SIDE):
        return False
    depth, colour, *ways = head[8:]
    if depth != 8 or colour not in _CHANNELS or any(ways):
        return False
    promised = height * (1 + width * _CHANNELS[colour])
    unpacking = zlib.decompressobj()
    try:
        return len(unpacking.decompress(packed, promised + 1)) == promised
    except zlib.error:
        return False
