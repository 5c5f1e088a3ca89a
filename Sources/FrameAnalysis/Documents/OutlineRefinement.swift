import AnalysisKernels
import FrameCore
import Libc

/// The luma of a frame at full size, or nearly, and the refinement of outlines on it.
struct OutlineRefinement {
  private let luma: Luma
  private let size: PixelSize
  private let orientation: Orientation

  /// The long edge in samples, unless the frame is smaller.
  private static let longEdge = 4096

  private final class Luma {
    let base: UnsafeMutablePointer<Float>
    init(count: Int) throws {
      guard let memory = malloc(count * MemoryLayout<Float>.stride) else {
        throw SafelightError(
          .noMemory, "Not enough memory for \(count * 4 / 1_048_576) MiB of luma",
          remedy: "close other programs or use a smaller picture")
      }
      base = memory.bindMemory(to: Float.self, capacity: count)
    }
    deinit { free(base) }
  }

  init(_ frame: Frame) throws {
    let buffer = frame.buffer
    size = AnalysisProxy.fit(buffer.size, longEdge: Self.longEdge)
    orientation = frame.orientation
    luma = try Luma(count: size.pixelCount)
    let isLimited = buffer.format.isYCbCr && buffer.tags.range == .limited
    let samples = SampleBuffer<Float>(capacity: 5 * buffer.width)
    let columns = SampleBuffer<Int32>(capacity: buffer.width)
    var scratch = sla_area_scratch(samples: samples.base, columns: columns.base)
    var picture = sla_luma_picture(
      base: buffer.planes[0].base, row_bytes: buffer.planes[0].rowBytes, width: Int32(buffer.width),
      height: Int32(buffer.height), source: buffer.format.lumaSource)
    var plane = sla_oriented_plane(
      base: luma.base, column_step: 1, row_step: size.width, width: Int32(size.width),
      height: Int32(size.height))
    // As in the proxy.
    sla_area_average(&picture, &plane, isLimited ? 16.0 / 255 : 0, isLimited ? 255.0 / 219 : 1, &scratch)
    withExtendedLifetime(buffer) {}
  }

  func refined(_ outline: [NormalizedPoint]) throws -> [NormalizedPoint] {
    let quad = try Quad(outline, in: PixelSize(width: 1, height: 1))
    guard min(size.width, size.height) >= 16 else { return outline }
    let scale = SIMD2(Double(size.width), Double(size.height))
    // Mirrored pictures have their corners the other way round.
    let whole = quad.map { self.stored($0) * scale }
    let ring = whole.area < 0 ? Quad(whole[0], whole[3], whole[2], whole[1]) : whole
    let plane = LumaPlane(base: luma.base, width: size.width, height: size.height)
    let samples = max(Double(size.longEdge) / Double(AnalysisProxy.longEdge), 1)
    let coarse = QuadRefinement(
      plane: plane, reach: 2 * samples + 1, spread: max(samples / 2, 1), least: 4.0 / 255)
    let fine = QuadRefinement(plane: plane, reach: max(samples / 2, 2), spread: 1, least: 3.0 / 255)
    let found = withExtendedLifetime(luma) { fine.refined(coarse.refined(ring)) }
    let back = whole.area < 0 ? Quad(found[0], found[3], found[2], found[1]) : found
    let result = back.map { displayed($0 / scale) }
    return (0..<4).map { NormalizedPoint(result[$0].x, result[$0].y) }
  }

  /// From fractions of the displayed picture to those of the stored one.
  private func stored(_ p: SIMD2<Double>) -> SIMD2<Double> {
    var p = p
    for _ in 0..<orientation.quarterTurns { p = SIMD2(p.y, 1 - p.x) }
    return orientation.isMirrored ? SIMD2(1 - p.x, p.y) : p
  }

  private func displayed(_ p: SIMD2<Double>) -> SIMD2<Double> {
    var p = orientation.isMirrored ? SIMD2(1 - p.x, p.y) : p
    for _ in 0..<orientation.quarterTurns { p = SIMD2(1 - p.y, p.x) }
    return p
  }
}

extension Quad {
  /// An outline in pixels of a picture of `size`.
  ///
  /// - Throws: `SafelightError(.invalidValue)` unless it has four corners, clockwise and convex.
  init(_ outline: [NormalizedPoint], in size: PixelSize) throws {
    guard outline.count == 4 else {
      throw SafelightError(
        .invalidValue, "An outline of \(outline.count) corners is not a page's", remedy: "give four corners")
    }
    guard outline.allSatisfy({ abs($0.x) < 100 && abs($0.y) < 100 }) else {
      throw SafelightError(
        .invalidValue, "A corner of the page lies too far outside of the picture",
        remedy: "give corners as fractions of the picture's width and height")
    }
    let scale = SIMD2(Double(size.width), Double(size.height))
    self.init(
      SIMD2(outline[0].x, outline[0].y) * scale, SIMD2(outline[1].x, outline[1].y) * scale,
      SIMD2(outline[2].x, outline[2].y) * scale, SIMD2(outline[3].x, outline[3].y) * scale)
    guard isConvex else {
      throw SafelightError(
        .invalidValue, "The four corners of the page are in a line, or its sides cross",
        remedy: "give the corners clockwise, beginning at the page's top left")
    }
  }
}
