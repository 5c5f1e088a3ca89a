import Libc

/// Which pixels of its input one pixel of a stage's result is made of.
public enum Footprint: Sendable, Hashable {
  /// One pixel.
  case point
  /// The pixel at the place that the result shows, and at most `x` columns and `y` rows on each side of it, in pixels of
  /// the stage's input.
  case halo(x: Int, y: Int)
  /// Any of them.
  case whole
}

// The switches over stage kinds have no `default`: a new kind does not compile before each of them decides on it.
extension Stage {
  /// Which pixels of its input a pixel of the result is made of.
  public var footprint: Footprint {
    switch self {
    case .geometry(let geometry): geometry.footprint
    case .shrink(let shrink): shrink.footprint
    case .ycbcr(let camera): camera.footprint
    case .matrix, .curve, .lut, .channelTables, .baked: .point
    case .pointwise(let function):
      switch function {
      case .oklabChroma, .tone: .point
      }
    }
  }

  /// Whether the result depends on where the pixel lies, and not only on the colours that its footprint has.
  ///
  /// That is so of every stage that samples its input at places: geometry, reductions, and camera samples, which are
  /// read from planes of their own.
  public var usesPosition: Bool {
    switch self {
    case .geometry, .shrink, .ycbcr: true
    case .matrix, .curve, .lut, .channelTables, .baked: false
    case .pointwise(let function):
      switch function {
      case .oklabChroma, .tone: false
      }
    }
  }

  /// Whether this stage is a function of one pixel's colour alone: tables can hold it, and resamples may be moved ahead
  /// of it. All other stages are barriers for the passes that do so.
  public var isPointwise: Bool { footprint == .point && !usesPosition }

  /// Whether each output channel depends on its own input channel alone.
  public var isPerChannel: Bool {
    switch self {
    case .curve, .channelTables: true
    case .matrix(let matrix): matrix.isDiagonal
    case .lut(let stage): stage.lut.cube == nil
    case .geometry, .shrink, .ycbcr, .pointwise, .baked: false
    }
  }

  /// Whether this stage leaves a part of its input out.
  var hidesPixels: Bool {
    switch self {
    case .geometry(let geometry): !geometry.showsWholeInput
    case .shrink, .ycbcr, .matrix, .curve, .pointwise, .lut, .channelTables, .baked: false
    }
  }

  /// Whether pixels of the result may be transparent where those of the input are opaque.
  package var opensCorners: Bool {
    switch self {
    case .geometry(let geometry): geometry.outside == .transparent
    case .shrink, .ycbcr, .matrix, .curve, .pointwise, .lut, .channelTables, .baked: false
    }
  }
}

extension Geometry {
  fileprivate var footprint: Footprint {
    guard pixelMove == nil else { return .point }
    return SampleGrid(self).halo
  }
}

extension Shrink {
  fileprivate var footprint: Footprint {
    let (x, y) = factors
    return .halo(
      x: Int((KaiserSinc.radius * max(x, 1)).rounded(.up)),
      y: Int((KaiserSinc.radius * max(y, 1)).rounded(.up)))
  }
}

extension YCbCrStage {
  /// Where each pixel has colour differences of its own they are not interpolated.
  fileprivate var footprint: Footprint {
    let (columns, rows) = (chroma.stepX, chroma.stepY)
    guard columns > 1 || rows > 1 else { return .point }
    // The furthest sample stands for a whole group of pixels.
    let reach = interpolation.taps / 2
    return .halo(
      x: columns > 1 ? (reach + 1) * columns - 1 : 0, y: rows > 1 ? (reach + 1) * rows - 1 : 0)
  }
}
