"""Whether two pictures of a view show the same: strictly where one machine took both, else by size and color.

Other fonts and other browsers draw other letters and break lines elsewhere; what stays is how large the view
is and how much of which color is in it. Knows no browser.
"""

from __future__ import annotations

from PIL import Image, ImageChops

_NOTICEABLE = 24
"""A channel that differs by less is a matter of rounding."""
_MOST_SHARE = 0.001
_LEAST_PIXELS = 40
_MOST_GROWTH = 0.25
_LEAST_COMMON = 0.88
_LEVELS = 8


def difference(known: Image.Image, taken: Image.Image, *, strict: bool) -> str | None:
    """What differs, in words; None where nothing does that counts."""
    known, taken = known.convert("RGB"), taken.convert("RGB")
    return _pixels(known, taken) if strict else _impression(known, taken)


def _pixels(known: Image.Image, taken: Image.Image) -> str | None:
    sizes = list(zip(known.size, taken.size, strict=True))
    if any(abs(old - new) > 1 for old, new in sizes):
        return f"is {_size(taken)}, was {_size(known)}"
    # A view that begins between two pixels may end at either.
    width, height = (min(size) for size in sizes)
    known, taken = (picture.crop((0, 0, width, height)) for picture in (known, taken))
    apart = ImageChops.difference(known, taken)
    channels = [channel.point(lambda level: 255 * (level > _NOTICEABLE)) for channel in apart.split()]
    different = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    count = different.histogram()[255]
    allowed = max(_LEAST_PIXELS, _MOST_SHARE * known.width * known.height)
    if count <= allowed:
        return None
    return f"{count:,} pixels differ, {allowed:,.0f} may, all within {different.getbbox()}"


def _impression(known: Image.Image, taken: Image.Image) -> str | None:
    growth = max(abs(new / old - 1) for new, old in zip(taken.size, known.size, strict=True))
    if growth > _MOST_GROWTH:
        return f"is {_size(taken)}, was {_size(known)}: more than other letters explain"
    shares, others = _colors(known), _colors(taken)
    common = sum(min(share, others.get(color, 0.0)) for color, share in shares.items())
    if common < _LEAST_COMMON:
        return f"only {common:.0%} of the colors are the same, {_LEAST_COMMON:.0%} should be"
    return None


def _colors(picture: Image.Image) -> dict[tuple[int, ...], float]:
    """The share of each coarse color."""
    step = 256 // _LEVELS
    coarse = picture.point(lambda level: level // step)
    found = coarse.getcolors(_LEVELS**3) or []
    pixels = picture.width * picture.height
    return {color: count / pixels for count, color in found if isinstance(color, tuple)}


def _size(picture: Image.Image) -> str:
    return f"{picture.width} × {picture.height}"
