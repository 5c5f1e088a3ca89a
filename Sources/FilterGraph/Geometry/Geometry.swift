import ColorScience
import FrameCore
import Libc

/// An affine map of the plane: x' = a·x + b·y + c, y' = d·x + e·y + f.
///
/// Coordinates are in pixels from the top left corner of a picture, so the first pixel's centre is (0.5, 0.5).
public struct AffineMap: Sendable, Hashable {
  public var a, b, c: Double
  public var d, e, f: Double

  public init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  /// The map that moves nothing.
  public static let identity = AffineMap(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0)

  /// Returns the map that moves by `x` and `y` pixels.
  public static func translation(_ x: Double, _ y: Double) -> AffineMap {
    AffineMap(a: 1, b: 0, c: x, d: 0, e: 1, f: y)
  }

  /// Returns the map that scales about the origin.
  public static func scale(_ x: Double, _ y: Double) -> AffineMap {
    AffineMap(a: x, b: 0, c: 0, d: 0, e: y, f: 0)
  }

  /// Returns the position that (`x`, `y`) is mapped to.
  public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x + b * y + c, d * x + e * y + f)
  }

  /// Returns the map that applies `self` first and then `next`.
  public func then(_ next: AffineMap) -> AffineMap {
    AffineMap(
      a: next.a * a + next.b * d, b: next.a * b + next.b * e, c: next.a * c + next.b * f + next.c,
      d: next.d * a + next.e * d, e: next.d * b + next.e * e, f: next.d * c + next.e * f + next.f)
  }

  /// The inverse map; not finite if this one has no inverse.
  public var inverse: AffineMap {
    let det = a * e - b * d
    let (ia, ib, id, ie) = (e / det, -b / det, -d / det, a / det)
    return AffineMap(a: ia, b: ib, c: -(ia * c + ib * f), d: id, e: ie, f: -(id * c + ie * f))
  }
}

/// How samples beyond the edges of a picture are defined.
public enum EdgeMode: String, Sendable, Hashable {
  /// The nearest edge pixel: for maps that stay inside but whose filter reaches over the edge.
  case clamp
  /// Transparent, with antialiased edges: for pictures rotated without cropping. A pixel's alpha is multiplied by
  /// its coverage of the picture; its colour is that of `clamp`.
  case transparent
}

/// One geometric resample: for each output pixel, the place in the input that it shows.
public struct Geometry: Sendable, Hashable {
  public var inputSize: PixelSize
  public var outputSize: PixelSize
  /// From output to input coordinates or, with a projection, to those that it maps.
  public var map: AffineMap
  /// From what `map` leads to, to input coordinates; nil where there is none.
  public var projection: Projection?
  /// From the input without a lens's distortion to the input; last of the three. Nil where there is none.
  public var lens: LensWarp?
  public var outside: EdgeMode
  /// How values between samples are interpolated; plans choose this and `order` once all geometry is joined.
  public var interpolation: Interpolation
  public var order: SamplingOrder

  public init(
    inputSize: PixelSize, outputSize: PixelSize, map: AffineMap, projection: Projection? = nil,
    lens: LensWarp? = nil, outside: EdgeMode = .clamp, interpolation: Interpolation = .sharp,
    order: SamplingOrder = .direct
  ) {
    self.inputSize = inputSize
    self.outputSize = outputSize
    (self.map, self.projection, self.lens) = (map, projection, lens)
    self.outside = outside
    self.interpolation = interpolation
    self.order = order
  }

  /// Creates the resample that turns a stored picture upright.
  public init(orientation: Orientation, size: PixelSize) {
    let output = orientation.applied(to: size)
    let (w, h) = (Double(output.width), Double(output.height))
    // Undo the turn, then the mirror: rotated clockwise by k quarters, the picture shows at (x, y) the place (y,
    // W-x)…
    let unturned: AffineMap =
      switch orientation.quarterTurns {
      case 0: .identity
      case 1: AffineMap(a: 0, b: 1, c: 0, d: -1, e: 0, f: w)
      case 2: AffineMap(a: -1, b: 0, c: w, d: 0, e: -1, f: h)
      default: AffineMap(a: 0, b: -1, c: h, d: 1, e: 0, f: 0)
      }
    let mirror =
      orientation.isMirrored
      ? AffineMap(a: -1, b: 0, c: Double(size.width), d: 0, e: 1, f: 0) : .identity
    self.init(inputSize: size, outputSize: output, map: unturned.then(mirror))
  }

  /// Creates the resample that scales the whole picture to `size`.
  public init(scaling inputSize: PixelSize, to size: PixelSize) {
    self.init(
      inputSize: inputSize, outputSize: size,
      map: .scale(
        Double(inputSize.width) / Double(size.width), Double(inputSize.height) / Double(size.height)))
  }

  /// Returns this resample and `next` joined into one. If a crop leaves only places inside the input, nothing is
  /// transparent.
  public func then(_ next: Geometry) -> Geometry {
    var joined = Geometry(
      inputSize: inputSize, outputSize: next.outputSize, map: next.map,
      outside: outside == .transparent || next.outside == .transparent ? .transparent : .clamp)
    (joined.projection, joined.lens) = (next.projection, next.lens)
    joined.append(map)
    // A lens is never behind another projection: `PlanBuilder.geometry` sees to that.
    if let projection {
      joined.projection = joined.projection?.then(projection) ?? projection
    }
    if let lens { joined.lens = lens }
    let bounds = joined.inputBounds
    let tolerance = 1e-6
    if bounds.minX > -tolerance, bounds.minY > -tolerance, bounds.maxX < Double(inputSize.width) + tolerance,
      bounds.maxY < Double(inputSize.height) + tolerance
    {
      joined.outside = .clamp
    }
    return joined
  }

  /// Whether every output pixel equals the input pixel at the same place.
  public var isIdentity: Bool {
    guard inputSize == outputSize, let moved = pixelMove else { return false }
    return moved.orientation == .up && moved.x == 0 && moved.y == 0
  }

  /// A resample that only moves whole pixels: a rotation or mirroring of a window of the input.
  package struct PixelMove: Sendable, Hashable {
    package var orientation: Orientation
    /// The input pixel shown by the first output pixel.
    package var x, y: Int

    package init(orientation: Orientation, x: Int, y: Int) {
      self.orientation = orientation
      (self.x, self.y) = (x, y)
    }

    /// The step in the input for one output column.
    package var columnStep: (x: Int, y: Int) {
      switch (orientation.quarterTurns, orientation.isMirrored) {
      case (0, let m): (m ? -1 : 1, 0)
      case (1, _): (0, -1)
      case (2, let m): (m ? 1 : -1, 0)
      default: (0, 1)
      }
    }
    /// The step in the input for one output row.
    package var rowStep: (x: Int, y: Int) {
      switch (orientation.quarterTurns, orientation.isMirrored) {
      case (0, _): (0, 1)
      case (1, let m): (m ? -1 : 1, 0)
      case (2, _): (0, -1)
      default: orientation.isMirrored ? (1, 0) : (-1, 0)
      }
    }
  }

  /// This resample as an exact move of whole pixels; nil if it is not one or reaches outside the input.
  package var pixelMove: PixelMove? {
    guard isAffine else { return nil }
    let tolerance = 1e-9
    func whole(_ value: Double) -> Int? {
      let nearest = value.rounded()
      // Larger numbers are no places in a picture, and their sums would overflow.
      guard abs(nearest) < 0x1p31 else { return nil }
      return abs(value - nearest) <= tolerance * max(1, abs(value)) ? Int(nearest) : nil
    }
    guard let a = whole(map.a), let b = whole(map.b), let d = whole(map.d), let e = whole(map.e) else {
      return nil
    }
    for orientation in Orientation.allCases {
      var move = PixelMove(orientation: orientation, x: 0, y: 0)
      guard move.columnStep == (a, d), move.rowStep == (b, e) else { continue }
      let first = map.apply(0.5, 0.5)
      guard let x = whole(first.x - 0.5), let y = whole(first.y - 0.5) else { return nil }
      let lastX = x + a * (outputSize.width - 1) + b * (outputSize.height - 1)
      let lastY = y + d * (outputSize.width - 1) + e * (outputSize.height - 1)
      let columns = 0..<inputSize.width
      let rows = 0..<inputSize.height
      guard columns.contains(x), columns.contains(lastX), rows.contains(y), rows.contains(lastY) else {
        return nil
      }
      (move.x, move.y) = (x, y)
      return move
    }
    return nil
  }

  /// The clockwise rotation of the picture in degrees, -180…180, and whether it is mirrored first.
  public var turn: (degrees: Double, mirrored: Bool) {
    // `map` converts output to input coordinates, so the picture turns the other way; a mirroring before the
    // rotation is the last step of `map` and only changes the sign of its first row.
    let mirrored = map.a * map.e - map.b * map.d < 0
    return (atan2(-map.d, mirrored ? -map.a : map.a) * 180 / .pi, mirrored)
  }

  /// Whether every pixel of the input is in the output.
  package var showsWholeInput: Bool {
    guard isAffine else { return false }
    let (w, h) = (Double(inputSize.width), Double(inputSize.height))
    let toOutput = map.inverse
    return [toOutput.apply(0, 0), toOutput.apply(w, 0), toOutput.apply(0, h), toOutput.apply(w, h)].allSatisfy
    {
      $0.x > -0.01 && $0.y > -0.01 && $0.x < Double(outputSize.width) + 0.01
        && $0.y < Double(outputSize.height) + 0.01
    }
  }

  /// The smallest rectangle of the input that contains everything the output shows.
  package var inputBounds: (minX: Double, minY: Double, maxX: Double, maxY: Double) {
    bounds(left: 0, top: 0, right: Double(outputSize.width), bottom: Double(outputSize.height))
  }
}
