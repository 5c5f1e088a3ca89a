/// The part of the chain that vips has, as a script.
enum VipsScript {
  /// `vips.py PHOTO OUTPUT`
  static let text = #"""
    import sys
    import pyvips

    image = pyvips.Image.new_from_file(sys.argv[1], access="sequential")
    # Exposure and white balance, contrast.
    image = image.recomb([[1.14, 0, 0], [0, 1.1, 0], [0, 0, 1.05]])
    image = image.linear([1.08] * 3, [-10] * 3, uchar=True)
    width, height = image.width, image.height
    image = image.similarity(angle=2, interpolate=pyvips.Interpolate.new("bicubic"))
    width, height = int(width * 0.942 * 8 / 9), int(height * 0.942)
    image = image.crop((image.width - width) // 2, (image.height - height) // 2, width, height)
    image.jpegsave(sys.argv[2], Q=92, subsample_mode="off")

    """#
}
