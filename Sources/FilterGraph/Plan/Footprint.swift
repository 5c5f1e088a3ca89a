import Libc

/// The pixels of a stage's input on which one pixel of its result depends.
public enum Footprint: Sendable, Hashable {
  /// One pixel.
  case point
  /// The pixel at the corresponding place, and at most `x` columns and `y` rows on each side of it, in pixels of
  /// the stage's input.
  case halo(x: Int, y: Int)
  /// Any pixel.
  case whole
}

// The switches over stage kinds have no `default`, so that a new kind compiles only once each of them handles it.
extension Stage {
  /// The pixels of the input on which one pixel of the result depends.
  public var footprint: Footprint {
    switch self {
    case .geometry(let geometry): geometry.footprint
    case .downsample(let downsample): downsample.footprint
    case .ycbcr(let camera): camera.footprint
    case .sharpen(let sharpening): .halo(x: sharpening.halo, y: sharpening.halo)
    case .denoise: .halo(x: Denoising.reach, y: Denoising.reach)
    case .matrix, .curve, .field, .masked, .lut, .channelTables, .baked: .point
    case .pointwise(let function):
      switch function {
      case .oklabChroma, .oklabTurn, .tone, .curves, .hues, .gamut: .point
      }
    }
  }

  /// Whether the result depends on the pixel's position, not only on the colours in its footprint.
  ///
  /// True for every stage that samples its input at positions: geometry, downsamplings, and camera samples, which are
  /// read from separate planes.
  public var usesPosition: Bool {
    switch self {
    case .geometry, .downsample, .ycbcr, .denoise, .field, .masked: true
    case .matrix, .curve, .lut, .sharpen, .channelTables, .baked: false
    case .pointwise(let function):
      switch function {
      case .oklabChroma, .oklabTurn, .tone, .curves, .hues, .gamut: false
      }
    }
  }

  /// Whether this stage is a function of one pixel's colour alone: tables can replace it, and resamples may move
  /// ahead of it. All other stages are barriers to the passes that do so.
  public var isPointwise: Bool { footprint == .point && !usesPosition }

  /// Whether this stage changes colours, rather than sample or combine pixels at other places: what renderers run on a
  /// pixel once it is sampled.
  public var isColor: Bool {
    switch self {
    case .geometry, .downsample, .ycbcr, .denoise, .sharpen: false
    case .matrix, .curve, .pointwise, .field, .masked, .lut, .channelTables, .baked: true
    }
  }

  /// Whether each output channel depends only on its own input channel.
  package var isPerChannel: Bool {
    switch self {
    case .curve, .channelTables: true
    case .matrix(let matrix): matrix.isDiagonal
    case .lut(let stage): stage.lut.cube == nil
    case .geometry, .downsample, .ycbcr, .denoise, .pointwise, .field, .masked, .sharpen, .baked: false
    }
  }

  /// Whether this stage omits part of its input.
  var hidesPixels: Bool {
    switch self {
    // What a lens correction cuts off is a rim that is as much of the picture as the rest.
    case .geometry(let geometry):
      geometry.projection == nil && geometry.lens != nil ? false : !geometry.showsWholeInput
    case .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen,
      .channelTables, .baked:
      false
    }
  }

  /// Whether pixels of the result may be transparent although the input is opaque.
  package var opensCorners: Bool {
    switch self {
    case .geometry(let geometry): geometry.outside == .transparent
    case .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen,
      .channelTables, .baked:
      false
    }
  }
}

extension Geometry {
  fileprivate var footprint: Footprint {
    guard pixelMove == nil else { return .point }
    if !isAffine {
      let (x, y) = projectedHalo
      return .halo(x: x, y: y)
    }
    return SampleGrid(self).halo
  }
}

extension Downsample {
  fileprivate var footprint: Footprint {
    let (x, y) = factors
    return .halo(
      x: Int((KaiserSinc.radius * max(x, 1)).rounded(.up)),
      y: Int((KaiserSinc.radius * max(y, 1)).rounded(.up)))
  }
}

extension YCbCrStage {
  /// Colour differences stored for every pixel are not interpolated.
  fileprivate var footprint: Footprint {
    let (columns, rows) = (chroma.stepX, chroma.stepY)
    guard columns > 1 || rows > 1 else { return .point }
    // The furthest sample stands for a whole group of pixels.
    let reach = interpolation.taps / 2
    return .halo(
      x: columns > 1 ? (reach + 1) * columns - 1 : 0, y: rows > 1 ? (reach + 1) * rows - 1 : 0)
  }
}
