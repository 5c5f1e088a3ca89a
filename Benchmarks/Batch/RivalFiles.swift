/// The edit as a script for vips.
enum VipsScript {
  /// `vips.py thumbnail|resize|linear OUTPUT PHOTO…`
  static let text = #"""
    import math, os, sys
    import pyvips

    reduction, output, photos = sys.argv[1], sys.argv[2], sys.argv[3:]
    turn = math.radians(2)

    for path in photos:
        # The size that leaves 2048 pixels of the same proportions inside the turned picture.
        header = pyvips.Image.new_from_file(path)
        long, short = max(header.width, header.height), min(header.width, header.height)
        edge = math.ceil(2048 * (math.cos(turn) + math.sin(turn) * long / short))
        if reduction == "thumbnail":
            image = pyvips.Image.thumbnail(path, edge, height=edge)
        elif reduction == "linear":
            image = pyvips.Image.thumbnail(path, edge, height=edge, linear=True)
        else:
            image = pyvips.Image.new_from_file(path, access="sequential")
            image = image.resize(edge / long)
        # Exposure and white balance, then contrast.
        image = image.recomb([[1.14, 0, 0], [0, 1.1, 0], [0, 0, 1.05]])
        image = image.linear([1.08] * 3, [-10] * 3, uchar=True)
        image = image.similarity(angle=2, interpolate=pyvips.Interpolate.new("bicubic"))
        width = 2048 if header.width > header.height else round(2048 * short / long)
        height = 2048 if header.width < header.height else round(2048 * short / long)
        width, height = min(width, image.width), min(height, image.height)
        image = image.crop((image.width - width) // 2, (image.height - height) // 2, width, height)
        image.jpegsave(os.path.join(output, os.path.basename(path)), Q=92, subsample_mode="off")

    """#
}
