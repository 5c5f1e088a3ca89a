import ColorScience
import FilterGraph
import FrameCore

/// A picture as a function of the pixel position; samples 0…1, alpha not premultiplied.
protocol ReferencePicture: Sendable {
  var size: PixelSize { get }
  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double>
  /// The picture after a colour stage.
  ///
  /// - Parameters:
  ///   - light: the grid of the stage's local tone.
  ///   - projected: the resample from the picture as stored to this one, if it has a projection.
  func colored(by stage: Stage, in light: LightGrid?, _ projected: Geometry?) -> any ReferencePicture
}

extension ReferencePicture {
  func colored(
    by stage: Stage, in light: LightGrid? = nil, _ projected: Geometry? = nil
  ) -> any ReferencePicture {
    ColoredPicture(self, [(stage, light)], projected)
  }
}

struct BufferPicture: ReferencePicture {
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

  /// Undoes premultiplication; fully transparent pixels become black.
  fileprivate func unpremultiplied(clips: Bool) -> SIMD4 {
    let alpha = Swift.min(Swift.max(w, 0), 1)
    let color = alpha > 1e-6 ? SIMD4(x / alpha, y / alpha, z / alpha, 0) : .zero
    let pixel = SIMD4(color.x, color.y, color.z, alpha)
    return clips ? pixel.clamped(lowerBound: .zero, upperBound: .one) : pixel
  }
}

/// The samples around a position along one axis, clamped to the edges, with weights that sum to 1.
struct KernelTaps {
  let count: Int
  /// The index of the first sample, which may lie outside.
  let first: Int
  private(set) var positions = SIMD8<Int>(repeating: 0)
  private(set) var weights = SIMD8<Double>(repeating: 0)

  /// - Parameter place: the position; 0 is the centre of the first of `size` samples.
  init(_ place: Double, size: Int, _ interpolation: Interpolation = .sharp) {
    count = interpolation.taps
    first = Int(place.rounded(.down)) - count / 2 + 1
    for tap in 0..<count {
      positions[tap] = min(max(first + tap, 0), size - 1)
      weights[tap] = interpolation.weight(Double(first + tap) - place)
    }
    weights /= weights.sum()
  }
}

/// The samples around a position in a picture and their weights, as defined by `SamplingOrder`.
struct KernelWindow {
  let x, y: Double
  /// The size of the samples' plane.
  let width, height: Int
  var interpolation = Interpolation.sharp
  var order = SamplingOrder.direct
  /// The shift from one row, or one column, of the plane to the next.
  var shear = 0.0

  /// Returns the weighted sum of all samples.
  func sum<Value: SIMD<Double>>(_ sample: (_ column: Int, _ row: Int) -> Value) -> Value {
    var sum = Value.zero
    if order == .columnsFirst {
      let columns = KernelTaps(x, size: width, interpolation)
      for i in 0..<columns.count {
        let rows = KernelTaps(
          y + (Double(columns.first + i) - x) * shear, size: height, interpolation)
        for j in 0..<rows.count {
          sum += columns.weights[i] * rows.weights[j] * sample(columns.positions[i], rows.positions[j])
        }
      }
      return sum
    }
    let rows = KernelTaps(y, size: height, interpolation)
    var columns = KernelTaps(x, size: width, interpolation)
    for j in 0..<rows.count {
      if shear != 0 {
        columns = KernelTaps(x + (Double(rows.first + j) - y) * shear, size: width, interpolation)
      }
      for i in 0..<columns.count {
        sum += columns.weights[i] * rows.weights[j] * sample(columns.positions[i], rows.positions[j])
      }
    }
    return sum
  }
}

/// A resample: exact moves of whole pixels, else the weighted samples around the mapped position.
struct ResampledPicture: ReferencePicture {
  let source: any ReferencePicture
  let geometry: Geometry
  let clips: Bool
  var size: PixelSize { geometry.outputSize }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let place = geometry.place(Double(x) + 0.5, Double(y) + 0.5)
    if geometry.pixelMove != nil {
      return source.pixel(Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
    }
    let (sx, sy) = (place.x - 0.5, place.y - 0.5)
    let sum: SIMD4<Double>
    if !geometry.isAffine {
      let tangent = geometry.tangent(atX: Double(x) + 0.5, y: Double(y) + 0.5)
      let window = WideWindow(
        x: sx, y: sy, width: source.size.width, height: source.size.height,
        interpolation: geometry.interpolation, cover: tangent.coverage, order: geometry.order,
        shear: tangent.shear(geometry.order))
      sum = window.sum { source.pixel($0, $1).premultiplied }
    } else {
      let window = KernelWindow(
        x: sx, y: sy, width: source.size.width, height: source.size.height,
        interpolation: geometry.interpolation, order: geometry.order, shear: geometry.shear)
      sum = window.sum { source.pixel($0, $1).premultiplied }
    }
    let pixel = sum.unpremultiplied(clips: clips)
    guard geometry.outside == .transparent else { return pixel }
    let alpha = source.size.coverage(sx, sy)
    return alpha == 0 ? .zero : SIMD4(pixel.x, pixel.y, pixel.z, pixel.w * alpha)
  }
}

extension PixelSize {
  /// The part of a pixel at (x, y) that lies inside a picture of this size; 0 is the centre of the first pixel.
  fileprivate func coverage(_ x: Double, _ y: Double) -> Double {
    func along(_ position: Double, _ size: Int) -> Double {
      min(max(min(position + 1, Double(size) - position), 0), 1)
    }
    return along(x, width) * along(y, height)
  }
}

/// Camera samples → R'G'B': luma and chroma are each sampled at the pixel's position in their plane, then go
/// through the matrix and are clipped.
struct CameraPicture: ReferencePicture {
  let buffer: PixelBuffer
  let stage: YCbCrStage
  /// The resample applied to the samples as stored; nil if pixels stay in place.
  let geometry: Geometry?
  var size: PixelSize { geometry?.outputSize ?? buffer.size }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let place = (geometry?.map ?? .identity).apply(Double(x) + 0.5, Double(y) + 0.5)
    // Positions among the samples; 0 is the centre of the first one.
    let (sx, sy) = (place.x - 0.5, place.y - 0.5)
    let chroma = stage.chroma
    let cx = (sx - chroma.offsetX) / Double(chroma.stepX)
    let cy = (sy - chroma.offsetY) / Double(chroma.stepY)
    let codes = SIMD3(sample(0, sx, sy), sample(1, cx, cy), sample(2, cx, cy))
    let rgb = stage.evaluate(codes)
    let alpha = geometry?.outside == .transparent ? buffer.size.coverage(sx, sy) : 1
    return alpha == 0 ? .zero : SIMD4(rgb, alpha)
  }

  /// The weighted sum of samples of channel 0 (Y), 1 (Cb) or 2 (Cr), clamped to the edges.
  private func sample(_ channel: Int, _ x: Double, _ y: Double) -> Double {
    let (stepX, stepY) = channel == 0 ? (1, 1) : (stage.chroma.stepX, stage.chroma.stepY)
    // The shear in samples of this plane.
    let ratio = Double(stepX) / Double(stepY)
    let order = geometry?.order ?? .direct
    let window = KernelWindow(
      x: x, y: y, width: size(buffer.width, stepX), height: size(buffer.height, stepY),
      interpolation: stage.interpolation, order: order,
      shear: (geometry?.shear ?? 0) * (order == .columnsFirst ? ratio : 1 / ratio))
    return window.sum { SIMD2(code(channel, $0, $1), 0) }.x
  }

  private func size(_ pixels: Int, _ step: Int) -> Int { (pixels + step - 1) / step }

  /// The stored sample in column x and row y of a channel.
  func code(_ channel: Int, _ x: Int, _ y: Int) -> Double {
    guard stage.format != .gray8 || channel == 0 else { return stage.encoding.codes.neutral }
    let (plane, byte) = stage.format.place(channel, x)
    return Double(buffer.planes[plane].row(y).load(fromByteOffset: byte, as: UInt8.self))
  }
}

extension PixelFormat {
  /// The plane of channel 0 (Y), 1 (Cb) or 2 (Cr), and the byte of its sample in column x of the samples' row.
  func place(_ channel: Int, _ x: Int) -> (plane: Int, byte: Int) {
    switch (self, channel) {
    case (.yuyv422, 0): (0, 2 * x)
    case (.yuyv422, _): (0, 4 * x + (channel == 1 ? 1 : 3))
    case (.uyvy422, 0): (0, 2 * x + 1)
    case (.uyvy422, _): (0, 4 * x + (channel == 1 ? 0 : 2))
    case (_, 0): (0, x)
    case (.nv12, _), (.nv16, _): (1, 2 * x + channel - 1)
    case (.nv21, _): (1, 2 * x + 2 - channel)
    default: (channel, x)
    }
  }
}

/// A separable downsampling, computed completely on creation.
struct DownsampledPicture: ReferencePicture {
  let size: PixelSize
  private let pixels: [SIMD4<Double>]

  init(_ source: any ReferencePicture, _ downsample: Downsample, clips: Bool) {
    size = downsample.outputSize
    let light = downsample.linearLight
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
    let factors = downsample.factors
    let columns = (0..<width).map {
      taps($0, start: downsample.x, scale: factors.x, limit: source.size.width)
    }
    let rows = (0..<height).map { taps($0, start: downsample.y, scale: factors.y, limit: source.size.height) }
    var horizontal: [Int: [SIMD4<Double>]] = [:]
    var pixels: [SIMD4<Double>] = []
    for y in 0..<height {
      for (position, _) in rows[y] where horizontal[position] == nil {
        let line = (0..<source.size.width).map { linear(source.pixel($0, position)) }
        horizontal[position] = columns.map { $0.reduce(.zero) { $0 + line[$1.0] * $1.1 } }
      }
      if let first = rows[y].first?.0 { horizontal = horizontal.filter { $0.key >= first } }
      for x in 0..<width {
        pixels.append(encoded(rows[y].reduce(.zero) { $0 + (horizontal[$1.0]?[x] ?? .zero) * $1.1 }))
      }
    }
    self.pixels = pixels
  }

  func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> { pixels[y * size.width + x] }
}
