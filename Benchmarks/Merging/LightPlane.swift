import Dispatch
import Safelight

/// R, G, B of a picture as linear light, 0…1.
final class LightPlane: @unchecked Sendable {
  let width: Int
  let height: Int
  private let pixels: UnsafeMutablePointer<SIMD4<Float>>

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    pixels = .allocate(capacity: width * height)
    pixels.initialize(repeating: .zero, count: width * height)
  }

  deinit { pixels.deallocate() }

  /// Decodes a picture in sRGB or with other tags.
  convenience init(_ buffer: PixelBuffer) throws {
    self.init(width: buffer.width, height: buffer.height)
    let space = try ColorSpace(tags: buffer.tags)
    let most = buffer.format == .rgba16 ? 65_535 : 255
    guard buffer.format == .rgba8 || buffer.format == .rgba16 else {
      throw SafelightError(.unsupported, "\(buffer.format.rawValue) is not evaluated")
    }
    let table = (0...most).map { code in Float(space.transfer[0].decode(Double(code) / Double(most))) }
    fill { x, y in
      func code(_ channel: Int) -> Int {
        buffer.format == .rgba16
          ? Int(buffer.row(y, as: UInt16.self)[4 * x + channel])
          : Int(buffer.row(y, as: UInt8.self)[4 * x + channel])
      }
      return SIMD4(table[code(0)], table[code(1)], table[code(2)], 0)
    }
  }

  subscript(x: Int, y: Int) -> SIMD4<Float> {
    get { pixels[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)] }
    set { pixels[y * width + x] = newValue }
  }

  /// Sets every pixel, on all processors.
  func fill(_ light: @Sendable (_ x: Int, _ y: Int) -> SIMD4<Float>) {
    withoutActuallyEscaping(light) { light in
      DispatchQueue.concurrentPerform(iterations: height) { y in
        for x in 0..<width { pixels[y * width + x] = light(x, y) }
      }
    }
  }

  /// The light between pixels, pixel (0, 0) having its centre at (0.5, 0.5). Catmull and Rom's cubic.
  func sample(_ x: Float, _ y: Float) -> SIMD4<Float> {
    let (u, v) = (x - 0.5, y - 0.5)
    let (column, row) = (u.rounded(.down), v.rounded(.down))
    let (across, down) = (Self.weights(u - column), Self.weights(v - row))
    var sum = SIMD4<Float>.zero
    for j in 0..<4 {
      var line = SIMD4<Float>.zero
      for i in 0..<4 { line += self[Int(column) + i - 1, Int(row) + j - 1] * across[i] }
      sum += line * down[j]
    }
    return sum
  }

  private static func weights(_ t: Float) -> SIMD4<Float> {
    let (t2, t3) = (t * t, t * t * t)
    let w0: Float = -0.5 * t3 + t2 - 0.5 * t
    let w1: Float = 1.5 * t3 - 2.5 * t2 + 1
    let w2: Float = -1.5 * t3 + 2 * t2 + 0.5 * t
    let w3: Float = 0.5 * t3 - 0.5 * t2
    return SIMD4(w0, w1, w2, w3)
  }
}
