"""The table of looks: what `generate_luts.py` makes LUTs of. Its docstring says what each field does."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hue:
    """One hue-selective edit; angles in degrees of OKLCH."""

    center: float
    width: float
    shift: float = 0.0
    chroma: float = 1.0
    lightness: float = 0.0


@dataclass(frozen=True)
class Look:
    title: str
    curve: tuple[tuple[float, float], ...]
    mono: tuple[float, float, float] | None = None
    hues: tuple[Hue, ...] = ()
    saturation: float = 1.0
    vibrance: float = 0.0
    highlight_chroma: float = 1.0
    shadow_chroma: float = 1.0
    shadow_tone: tuple[float, float] = (0.0, 0.0)
    highlight_tone: tuple[float, float] = (0.0, 0.0)


# The comment above a look says what its curve is for.
LOOKS: dict[str, Look] = {
    # A soft toe from a slightly open black, a touch of mid-tone lift, a long shoulder to a cream white.
    "warm-film": Look(
        title="Warm Film",
        curve=((0, 0.030), (0.12, 0.105), (0.25, 0.232), (0.5, 0.520), (0.75, 0.785), (1, 0.968)),
        hues=(
            Hue(135, 50, shift=-16, chroma=0.82, lightness=-0.006),
            Hue(250, 55, shift=-12, chroma=0.82),
        ),
        highlight_chroma=0.72,
        shadow_chroma=0.85,
        shadow_tone=(0.004, 0.006),
        highlight_tone=(0.003, 0.017),
    ),
    # Firm mid-tones over an open, blue-green black; clean whites, so the cold stays in the shadows.
    "cool-film": Look(
        title="Cool Film",
        curve=((0, 0.040), (0.12, 0.110), (0.25, 0.225), (0.5, 0.505), (0.75, 0.780), (1, 0.975)),
        hues=(
            Hue(130, 50, shift=9, chroma=0.74),
            Hue(250, 50, shift=-8, chroma=0.95, lightness=-0.010),
            Hue(55, 35, chroma=0.94, lightness=0.004),
        ),
        highlight_chroma=0.80,
        shadow_chroma=0.90,
        shadow_tone=(-0.011, -0.017),
        highlight_tone=(-0.004, -0.006),
    ),
    # A print left in the sun: black lifted far, white held down, a slope below one everywhere between.
    "faded": Look(
        title="Faded",
        curve=((0, 0.125), (0.12, 0.178), (0.25, 0.282), (0.5, 0.540), (0.75, 0.762), (1, 0.930)),
        hues=(
            Hue(135, 55, shift=-8, chroma=0.80),
            Hue(255, 55, shift=-14, chroma=0.85),
        ),
        saturation=0.80,
        highlight_chroma=0.75,
        shadow_chroma=0.80,
        shadow_tone=(0.004, -0.012),
        highlight_tone=(0.002, 0.013),
    ),
    # A full-scale print: true black, a gentle S, separation kept in the upper tones.
    "silver": Look(
        title="Silver",
        mono=(0.36, 0.50, 0.14),
        curve=((0, 0.018), (0.12, 0.088), (0.25, 0.218), (0.5, 0.520), (0.75, 0.800), (1, 0.978)),
        shadow_tone=(0.008, -0.003),
        highlight_tone=(0.001, 0.010),
    ),
    # A hard S around middle grey; shadows fall quickly but reach black only at black.
    "noir": Look(
        title="Noir",
        mono=(0.62, 0.33, 0.05),
        curve=((0, 0.008), (0.12, 0.038), (0.25, 0.132), (0.5, 0.485), (0.75, 0.850), (1, 0.990)),
        shadow_tone=(0.0005, -0.004),
        highlight_tone=(0.0003, -0.001),
    ),
    # An S with its toe just open, so that the teal has tones to live in.
    "teal-orange": Look(
        title="Teal & Orange",
        curve=((0, 0.022), (0.12, 0.092), (0.25, 0.215), (0.5, 0.515), (0.75, 0.795), (1, 0.975)),
        hues=(
            Hue(255, 70, shift=-30, chroma=0.76, lightness=-0.012),
            Hue(140, 55, shift=2, chroma=0.58, lightness=-0.010),
            Hue(325, 40, shift=18, chroma=0.70),
            Hue(52, 32, chroma=1.07),
        ),
        highlight_chroma=0.85,
        shadow_tone=(-0.026, -0.020),
        highlight_tone=(0.008, 0.020),
    ),
    # Mid-tones carried up by most of a stop, then a long shoulder: bright without bare paper.
    "high-key": Look(
        title="High Key",
        curve=((0, 0.045), (0.12, 0.178), (0.25, 0.345), (0.5, 0.645), (0.75, 0.862), (1, 0.992)),
        hues=(Hue(55, 40, chroma=0.95),),
        saturation=0.94,
        highlight_chroma=0.75,
        shadow_tone=(0.001, 0.001),
        highlight_tone=(0.001, 0.003),
    ),
    # Mid-tones pushed down, highlights kept as the only light in the room; the toe still opens.
    "low-key": Look(
        title="Low Key",
        curve=((0, 0.014), (0.12, 0.062), (0.25, 0.148), (0.5, 0.395), (0.75, 0.700), (1, 0.955)),
        hues=(Hue(140, 50, chroma=0.80),),
        saturation=0.94,
        shadow_chroma=0.70,
        shadow_tone=(-0.002, -0.006),
        highlight_tone=(0.003, 0.011),
    ),
    # Slide film: a clean black, a firm S, a short shoulder.
    "vivid": Look(
        title="Vivid",
        curve=((0, 0.006), (0.12, 0.088), (0.25, 0.222), (0.5, 0.525), (0.75, 0.810), (1, 0.994)),
        hues=(
            Hue(250, 50, chroma=1.05, lightness=-0.015),
            Hue(135, 50, shift=4, lightness=-0.006),
            Hue(52, 28, chroma=0.88),
        ),
        saturation=1.06,
        vibrance=0.25,
    ),
    # Glowing upper mid-tones and a long shoulder; shadows keep the blue of the sky for contrast.
    "golden-hour": Look(
        title="Golden Hour",
        curve=((0, 0.026), (0.12, 0.108), (0.25, 0.242), (0.5, 0.535), (0.75, 0.795), (1, 0.970)),
        hues=(
            Hue(132, 48, shift=-17, chroma=0.88, lightness=-0.012),
            Hue(250, 50, chroma=0.72),
            Hue(70, 40, chroma=1.05),
        ),
        highlight_chroma=0.90,
        shadow_tone=(0.008, -0.007),
        highlight_tone=(0.007, 0.028),
    ),
    # Skin first: open shadows, raised mid-tones, a soft shoulder before the highlights on a forehead.
    "portrait-soft": Look(
        title="Portrait Soft",
        curve=((0, 0.030), (0.12, 0.142), (0.25, 0.280), (0.5, 0.562), (0.75, 0.795), (1, 0.975)),
        hues=(
            Hue(25, 28, shift=3, chroma=0.88, lightness=0.006),
            Hue(58, 32, chroma=0.95, lightness=0.010),
            Hue(135, 50, shift=-4, chroma=0.80),
            Hue(250, 50, chroma=0.86),
        ),
        highlight_chroma=0.85,
        shadow_tone=(0.003, 0.002),
        highlight_tone=(0.003, 0.006),
    ),
    # Silver left in the print: a steep S that still shows detail in the toe, most colour gone.
    "bleach-bypass": Look(
        title="Bleach Bypass",
        curve=((0, 0.010), (0.12, 0.058), (0.25, 0.172), (0.5, 0.505), (0.75, 0.830), (1, 0.982)),
        hues=(Hue(55, 35, chroma=1.10),),
        saturation=0.50,
        shadow_chroma=0.75,
        shadow_tone=(-0.006, -0.005),
        highlight_tone=(0.0, 0.005),
    ),
}
