"""A picture of pixels in the run of the text: the logo of an organisation."""

from __future__ import annotations

import io

from reportlab.lib.utils import ImageReader
from reportlab.platypus import Flowable


class Picture(Flowable):
    """A PNG in a room of a given size: as large as fits, its aspect kept, at the lower left."""

    def __init__(self, png: bytes, across: float, up: float) -> None:
        """Raises ValueError for bytes that are no picture."""
        super().__init__()
        try:
            self._image = ImageReader(io.BytesIO(png))
            wide, high = self._image.getSize()
        except Exception as error:  # reportlab and Pillow raise many kinds for damaged files
            raise ValueError("not a picture") from error
        scale = min(across / wide, up / high)
        self.width, self.height = wide * scale, high * scale

    def wrap(self, across: float, up: float) -> tuple[float, float]:
        """The size."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw it; what is see-through in it shows the page."""
        self.canv.drawImage(self._image, 0, 0, self.width, self.height, mask="auto")
