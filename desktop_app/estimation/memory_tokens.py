"""Bytes per token of one layer, by how tensor parallelism divides them."""

from dataclasses import dataclass

from desktop_app.foundation.scalar_ops import Number


@dataclass(frozen=True, slots=True)
class TokenBytes:
    """Bytes per token of one layer: what every tensor-parallel rank holds, what they share, and that per key."""

    whole: Number = 0.0  # divided among the ranks under sequence parallelism only
    shared: Number = 0.0
    per_key: Number = 0.0  # shared, times the sequence length: attention scores

    def __add__(self, other: "TokenBytes") -> "TokenBytes":
        """Term by term."""
        return TokenBytes(self.whole + other.whole, self.shared + other.shared, self.per_key + other.per_key)

    def times(self, factor: float) -> "TokenBytes":
        """Every term times `factor`."""
        return TokenBytes(self.whole * factor, self.shared * factor, self.per_key * factor)
