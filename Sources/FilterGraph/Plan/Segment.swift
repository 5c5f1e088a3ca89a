import FrameCore

/// A part of a plan that renderers run in one go: samples are taken, coloured, and combined with their neighbours.
///
///     sampling → colour → optional neighbourhood
///
/// A plan is a short list of segments, most often of one. A neighbourhood ends its segment: it reads coloured pixels
/// around each of its own, and so tiles of them that overlap by its halo.
public struct Segment: Sendable, Hashable {
  /// Geometry, downsampling and camera samples.
  public var sampling: [Stage] = []
  public var color: [Stage] = []
  /// Reads neighbouring pixels of what `color` leaves; nil for none.
  public var neighbourhood: Stage?
  /// The format of RGBA in which pixels leave `color`: that of the output or, ahead of a neighbourhood, which amplifies
  /// what rounding adds, a deeper one.
  public var colorFormat: PixelFormat

  init(colorFormat: PixelFormat) { self.colorFormat = colorFormat }
}

extension Stage {
  /// Whether this stage combines coloured pixels with their neighbours, and so ends a segment.
  public var isNeighbourhood: Bool {
    switch self {
    case .sharpen: true
    case .geometry, .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut,
      .channelTables, .baked:
      false
    }
  }
}

extension Plan {
  /// The segments that the plan's stages form; at least one, which may be empty.
  public var segments: [Segment] {
    var segments: [Segment] = []
    var current = Segment(colorFormat: output.colorFormat)
    for stage in stages {
      if stage.isNeighbourhood {
        current.neighbourhood = stage
        current.colorFormat = formatInBetween
        segments.append(current)
        current = Segment(colorFormat: output.colorFormat)
      } else if stage.isColor {
        current.color.append(stage)
      } else {
        current.sampling.append(stage)
      }
    }
    if segments.isEmpty || !current.sampling.isEmpty || !current.color.isEmpty { segments.append(current) }
    return segments
  }

  /// The format of RGBA in which coloured pixels reach a neighbourhood.
  package var formatInBetween: PixelFormat { output.colorFormat.isInteger ? .rgba16 : .rgbaF32 }

  /// Whether coloured pixels may be transparent, whatever the output keeps of it.
  package var hasTransparency: Bool {
    input.alpha == .straight || exactStages.contains(where: \.opensCorners)
  }

  /// The sharpening that comes last; nil if there is none.
  public var sharpening: Sharpening? {
    if case .sharpen(let sharpening)? = stages.last { sharpening } else { nil }
  }
}
