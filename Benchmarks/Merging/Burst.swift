import BenchmarkSupport
import Glibc
import Safelight

/// Frames of a scene as a camera takes them one after another: where it looks, what moves, and its noise.
struct Burst {
  static let size = PixelSize(width: 1920, height: 1080)
  /// The frame that others are merged into. Not the first: OpenCV wants frames before and after it.
  static let reference = 3

  enum Camera: String { case still, hand }

  /// The variance of a sensor's noise in linear light, at white and at black.
  struct Noise {
    let name: String
    let white: Float
    let black: Float

    static let low = Noise(name: "low", white: 3e-4, black: 4e-6)
    static let middle = Noise(name: "middle", white: 1e-3, black: 1.5e-5)
    static let high = Noise(name: "high", white: 4e-3, black: 1e-4)
  }

  /// In sRGB, 8 bits.
  let frames: [PixelBuffer]
  /// The reference without noise.
  let clean: LightPlane
  /// What moves, where the reference shows it, and where any frame does.
  private(set) var moving: PixelMask?
  private(set) var touched: PixelMask?

  /// - Parameter scene: at least as large as a frame and 40 pixels more on each side.
  init(of scene: LightPlane, camera: Camera, movers: Bool, noise: Noise, frames count: Int) throws {
    let base = Self.view(of: scene, camera, Self.reference)
    var buffers: [PixelBuffer] = []
    var clean = base
    if movers { (moving, touched) = (PixelMask(Self.size), PixelMask(Self.size)) }
    for index in 0..<count {
      let light = camera == .still ? base.copy() : Self.view(of: scene, camera, index)
      if movers {
        let mask = Movers(frame: index).draw(on: light, over: base)
        touched?.formUnion(mask)
        if index == Self.reference { moving = mask }
      }
      if index == Self.reference { clean = light }
      buffers.append(try Self.seen(light, noise, seed: UInt64(index) + 1))
    }
    frames = buffers
    self.clean = clean
  }

  /// What the camera sees in a frame: shifts up to 20 pixels and turns up to a degree, if it is in a hand.
  private static func view(of scene: LightPlane, _ camera: Camera, _ index: Int) -> LightPlane {
    var random = SplitMix64(seed: 7 + UInt64(index))
    let isStill = camera == .still || index == reference
    let dx = isStill ? 0 : Float.random(in: -20...20, using: &random)
    let dy = isStill ? 0 : Float.random(in: -20...20, using: &random)
    let angle = isStill ? 0 : Float.random(in: -1...1, using: &random) * .pi / 180
    let (c, s) = (cos(angle), sin(angle))
    let scale = min(Float(scene.width) / 2000, Float(scene.height) / 1160)
    // Each pixel gathers the light of its whole area.
    let parts = max(2, Int(scale.rounded(.up)))
    let light = LightPlane(width: size.width, height: size.height)
    light.fill { x, y in
      var sum = SIMD4<Float>.zero
      for j in 0..<parts {
        for i in 0..<parts {
          let u = Float(x) + (Float(i) + 0.5) / Float(parts) - Float(size.width) / 2 - dx
          let v = Float(y) + (Float(j) + 0.5) / Float(parts) - Float(size.height) / 2 - dy
          sum += scene.sample(
            Float(scene.width) / 2 + scale * (u * c + v * s),
            Float(scene.height) / 2 + scale * (v * c - u * s))
        }
      }
      return (sum / Float(parts * parts)).clamped(lowerBound: .zero, upperBound: .one)
    }
    return light
  }

  /// The frame with noise, encoded in 8 bits.
  private static func seen(_ light: LightPlane, _ noise: Noise, seed: UInt64) throws -> PixelBuffer {
    let buffer = try PixelBuffer(size: size, format: .rgba8)
    var random = SplitMix64(seed: seed &* 0x9e37_79b9)
    for y in 0..<size.height {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<size.width {
        let pixel = light[x, y]
        for channel in 0..<3 {
          // Box and Muller.
          let radius = (-2 * log(Float.random(in: 1e-7...1, using: &random))).squareRoot()
          let normal = radius * cos(2 * .pi * Float.random(in: 0...1, using: &random))
          let deviation = (noise.white * pixel[channel] + noise.black).squareRoot()
          let code = 255 * LightPlane.encode(pixel[channel] + deviation * normal)
          row[4 * x + channel] = UInt8(min(max(code.rounded(), 0), 255))
        }
        row[4 * x + 3] = 255
      }
    }
    return buffer
  }
}

extension LightPlane {
  func copy() -> LightPlane {
    let copy = LightPlane(width: width, height: height)
    copy.fill { x, y in self[x, y] }
    return copy
  }

  /// IEC 61966-2-1.
  static func encode(_ light: Float) -> Float {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  /// The peak signal-to-noise ratio of encoded samples, in dB, of the pixels of `mask`.
  func quality(against clean: LightPlane, in mask: PixelMask? = nil) -> Double {
    var (sum, count) = (0.0, 0)
    for y in 0..<height {
      for x in 0..<width where mask?[x, y] ?? true {
        let (own, other) = (self[x, y], clean[x, y])
        for channel in 0..<3 {
          let error = Double(Self.encode(own[channel]) - Self.encode(other[channel]))
          sum += error * error
        }
        count += 3
      }
    }
    return -10 * log10(sum / Double(max(count, 1)))
  }
}

/// A set of pixels.
struct PixelMask {
  private let width: Int
  private var isSet: [Bool]

  init(_ size: PixelSize) {
    width = size.width
    isSet = Array(repeating: false, count: size.pixelCount)
  }

  subscript(x: Int, y: Int) -> Bool {
    get { isSet[y * width + x] }
    set { isSet[y * width + x] = newValue }
  }

  mutating func formUnion(_ other: PixelMask) {
    for index in isSet.indices where other.isSet[index] { isSet[index] = true }
  }

  var inverted: PixelMask {
    var mask = self
    for index in isSet.indices { mask.isSet[index].toggle() }
    return mask
  }
}
