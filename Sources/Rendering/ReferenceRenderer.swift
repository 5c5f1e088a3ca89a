import ColorScience
import Dispatch
import FilterGraph
import FrameCore

/// Runs a plan's exact stages pixel by pixel in double precision, in the words of their definitions.
///
/// It is what every fast renderer is compared with, and is not meant to be fast.
public struct ReferenceRenderer: Renderer {
  public let name = "reference"
  public let evaluator: any ColorEvaluator = ExactEvaluator()
  /// Runs the optimized stages, tables included, instead of the exact ones.
  public let usesOptimizedStages: Bool

  public init(usesOptimizedStages: Bool = false) { self.usesOptimizedStages = usesOptimizedStages }

  public func prepare(_ plan: Plan) -> PreparedPlan { PreparedPlan(plan: plan, state: ()) }

  public func prepare(_ source: PixelBuffer, for prepared: PreparedPlan) throws -> PreparedSource {
    let plan = prepared.plan
    try plan.check(source)
    var picture: any ReferencePicture = BufferPicture(buffer: source)
    // Integer samples cannot hold what a resampling filter overshoots.
    let clips = plan.input.format.isInteger
    for stage in stages(of: plan) {
      switch stage {
      case .shrink(let shrink): picture = ShrunkPicture(picture, shrink, clips: clips)
      case .geometry(let geometry):
        picture = ResampledPicture(source: picture, geometry: geometry, clips: clips)
      default: continue
      }
    }
    return PreparedSource(buffer: source, plan: plan, state: picture)
  }

  private func stages(of plan: Plan) -> [Stage] { usesOptimizedStages ? plan.stages : plan.exactStages }

  public func render(
    _ source: PreparedSource, through prepared: PreparedPlan, rows: Range<Int>, into output: PixelBuffer
  ) throws {
    let plan = prepared.plan
    guard let picture = source.state as? any ReferencePicture else {
      throw SafelightError(
        .invalidValue, "The picture was prepared by another renderer", remedy: "prepare it with this one")
    }
    try plan.check(source, rows: rows, output: output)
    let colour = stages(of: plan).filter(\.isPointwise)
    DispatchQueue.concurrentPerform(iterations: rows.count) { index in
      let y = rows.lowerBound + index
      for x in 0..<plan.outputSize.width {
        let pixel = picture.pixel(x, y)
        let rgb = colour.reduce(SIMD3(pixel.x, pixel.y, pixel.z)) { $1.evaluate($0) }
        let dither = plan.dithers ? Double(Dither.threshold(x: x, y: y)) : 0
        store(SIMD4(rgb, pixel.w), dither: dither, x: x, y: index, in: output)
      }
    }
  }

  private func store(_ pixel: SIMD4<Double>, dither: Double, x: Int, y: Int, in output: PixelBuffer) {
    func code(_ channel: Int, _ full: Double) -> Double {
      let value = pixel[channel] * full + (channel < 3 ? dither : 0)
      return value.isNaN ? 0 : min(max(value, 0), full).rounded()
    }
    for channel in 0..<4 {
      switch output.format {
      case .rgba8: output.row(y, as: UInt8.self)[4 * x + channel] = UInt8(code(channel, 255))
      case .rgba16: output.row(y, as: UInt16.self)[4 * x + channel] = UInt16(code(channel, 65_535))
      default: output.row(y, as: Float.self)[4 * x + channel] = Float(pixel[channel])
      }
    }
  }
}

/// A picture as a function of the pixel's place; samples 0…1, alpha not multiplied in.
private protocol ReferencePicture: Sendable {
  var size: PixelSize { get }
  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double>
}

private struct BufferPicture: ReferencePicture {
  let buffer: PixelBuffer
  var size: PixelSize { buffer.size }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    func read<Sample>(_ type: Sample.Type, _ convert: (Sample) -> Double) -> SIMD4<Double> {
      let row = buffer.row(y, as: Sample.self)
      return SIMD4(
        convert(row[4 * x]), convert(row[4 * x + 1]), convert(row[4 * x + 2]), convert(row[4 * x + 3]))
    }
    return switch buffer.format {
    case .rgba8: read(UInt8.self) { Double($0) / 255 }
    case .rgba16: read(UInt16.self) { Double($0) / 65_535 }
    default: read(Float.self) { Double($0) }
    }
  }
}

extension SIMD4<Double> {
  fileprivate var premultiplied: SIMD4 { SIMD4(x * w, y * w, z * w, w) }

  /// Undoes premultiplication; what covers nothing is black.
  fileprivate func unpremultiplied(clips: Bool) -> SIMD4 {
    let alpha = Swift.min(Swift.max(w, 0), 1)
    let color = alpha > 1e-6 ? SIMD4(x / alpha, y / alpha, z / alpha, 0) : .zero
    let pixel = SIMD4(color.x, color.y, color.z, alpha)
    return clips ? pixel.clamped(lowerBound: .zero, upperBound: .one) : pixel
  }
}

/// A resample: exact moves of whole pixels, else Kaiser-windowed sinc at the mapped place.
private struct ResampledPicture: ReferencePicture {
  let source: any ReferencePicture
  let geometry: Geometry
  let clips: Bool
  var size: PixelSize { geometry.outputSize }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let place = geometry.map.apply(Double(x) + 0.5, Double(y) + 0.5)
    if geometry.pixelMove != nil {
      return source.pixel(Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
    }
    let (sx, sy) = (place.x - 0.5, place.y - 0.5)
    let (x0, y0) = (Int(sx.rounded(.down)), Int(sy.rounded(.down)))
    var sum = SIMD4<Double>.zero
    var total = 0.0
    for ty in (y0 - 2)...(y0 + 3) {
      for tx in (x0 - 2)...(x0 + 3) {
        let weight = KaiserSinc.weight(Double(tx) - sx) * KaiserSinc.weight(Double(ty) - sy)
        total += weight
        let pixel = source.pixel(
          min(max(tx, 0), source.size.width - 1), min(max(ty, 0), source.size.height - 1))
        sum += weight * pixel.premultiplied
      }
    }
    let pixel = (sum / total).unpremultiplied(clips: clips)
    guard geometry.outside == .transparent else { return pixel }
    // How much of the pixel lies inside the picture, along each axis.
    func coverage(_ position: Double, _ size: Int) -> Double {
      min(max(min(position + 1, Double(size) - position), 0), 1)
    }
    let alpha = coverage(sx, source.size.width) * coverage(sy, source.size.height)
    return alpha == 0 ? .zero : SIMD4(pixel.x, pixel.y, pixel.z, pixel.w * alpha)
  }
}

/// A separable reduction, computed whole when made.
private struct ShrunkPicture: ReferencePicture {
  let size: PixelSize
  private let pixels: [SIMD4<Double>]

  init(_ source: any ReferencePicture, _ shrink: Shrink, clips: Bool) {
    size = shrink.outputSize
    let light = shrink.linearLight
    func linear(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
      guard let light else { return pixel.premultiplied }
      let curve = Curve.decode(light)
      return SIMD4(
        curve.evaluate(pixel.x, channel: 0), curve.evaluate(pixel.y, channel: 1),
        curve.evaluate(pixel.z, channel: 2), pixel.w
      ).premultiplied
    }
    func encoded(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
      guard let light else { return pixel.unpremultiplied(clips: clips) }
      let curve = Curve.encode(light)
      let plain = pixel.unpremultiplied(clips: false)
      let pixel = SIMD4(
        curve.evaluate(plain.x, channel: 0), curve.evaluate(plain.y, channel: 1),
        curve.evaluate(plain.z, channel: 2), plain.w)
      return clips ? pixel.clamped(lowerBound: .zero, upperBound: .one) : pixel
    }

    /// The source positions and weights of output sample `i`.
    func taps(_ i: Int, start: Double, scale: Double, limit: Int) -> [(Int, Double)] {
      let center = start + (Double(i) + 0.5) * scale
      let radius = KaiserSinc.radius * max(scale, 1)
      let range = Int((center - radius).rounded(.down))...Int((center + radius).rounded(.up))
      let weights = range.compactMap { position -> (Int, Double)? in
        let weight = KaiserSinc.weight((Double(position) + 0.5 - center) / max(scale, 1))
        return (0..<limit).contains(position) && weight != 0 ? (position, weight) : nil
      }
      let sum = weights.reduce(0) { $0 + $1.1 }
      return weights.map { ($0.0, $0.1 / sum) }
    }

    let (width, height) = (size.width, size.height)
    let factors = shrink.factors
    let columns = (0..<width).map { taps($0, start: shrink.x, scale: factors.x, limit: source.size.width) }
    let rows = (0..<height).map { taps($0, start: shrink.y, scale: factors.y, limit: source.size.height) }
    var narrow: [Int: [SIMD4<Double>]] = [:]
    var pixels: [SIMD4<Double>] = []
    for y in 0..<height {
      for (position, _) in rows[y] where narrow[position] == nil {
        let line = (0..<source.size.width).map { linear(source.pixel($0, position)) }
        narrow[position] = columns.map { $0.reduce(.zero) { $0 + line[$1.0] * $1.1 } }
      }
      if let first = rows[y].first?.0 { narrow = narrow.filter { $0.key >= first } }
      for x in 0..<width {
        pixels.append(encoded(rows[y].reduce(.zero) { $0 + (narrow[$1.0]?[x] ?? .zero) * $1.1 }))
      }
    }
    self.pixels = pixels
  }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> { pixels[y * size.width + x] }
}
