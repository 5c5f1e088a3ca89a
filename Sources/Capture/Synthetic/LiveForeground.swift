import Dispatch

/// The objects in front of sky and sea (the sun, mountains, rocks, a boat, a pier), with their coverage.
final class LiveForeground: @unchecked Sendable {
  /// Luma and 4:2:2 chroma, as in `LiveBackdrop`; undefined where nothing covers the background.
  let luma: BytePlane
  let chroma: BytePlane
  /// 0…255 for each byte of `luma` and of `chroma`.
  let lumaCover: BytePlane
  let chromaCover: BytePlane
  /// For each row, the columns that contain all of it; even bounds.
  private(set) var columns: [Range<Int>]

  init(geometry: LiveGeometry, painter: ScenePainter) throws {
    let (width, rows) = (geometry.canvasWidth, geometry.canvasRows)
    luma = try BytePlane(width: width, rows: rows)
    chroma = try BytePlane(width: width, rows: rows)
    lumaCover = try BytePlane(width: width, rows: rows)
    chromaCover = try BytePlane(width: width, rows: rows)
    columns = Array(repeating: 0..<0, count: rows)
    let half = Float(width) / 2
    let skyline = (0..<width).map { painter.skyline(at: (Float($0) + 0.5 - half) * painter.pixel) }
    let rowsPerBand = 16
    columns.withUnsafeMutableBufferPointer { columns in
      nonisolated(unsafe) let columns = columns
      DispatchQueue.concurrentPerform(iterations: (rows + rowsPerBand - 1) / rowsPerBand) { band in
        for row in band * rowsPerBand..<min((band + 1) * rowsPerBand, rows) {
          columns[row] = paint(row, geometry, painter, skyline)
        }
      }
    }
  }

  private func paint(
    _ row: Int, _ geometry: LiveGeometry, _ painter: ScenePainter, _ skyline: [ScenePainter.Skyline]
  ) -> Range<Int> {
    let scale = painter.pixel
    let t = Float(geometry.depth(ofRow: row)) * scale
    // There is nothing above the lighthouse and the mountains.
    guard -t < Headland.top + 0.02 else { return 0..<0 }
    let (y, c) = (luma.row(row), chroma.row(row))
    let (yCover, cCover) = (lumaCover.row(row), chromaCover.row(row))
    var (first, last) = (geometry.canvasWidth, 0)
    for x in stride(from: 0, to: geometry.canvasWidth, by: 2) {
      var (blue, red, cover): (Float, Float, Float) = (0, 0, 0)
      for column in x..<x + 2 {
        let s = (Float(column) + 0.5 - Float(geometry.canvasWidth) / 2) * scale
        guard !painter.isClear(s, t, skyline[column]), let (light, alpha) = Self.separate(painter, s, t)
        else { continue }
        let codes = LiveColor.codes(painter.encode(painter.exposed(light)))
        y[column] = UInt8(codes.x + 0.5)
        yCover[column] = UInt8(alpha * 255 + 0.5)
        blue += codes.y * alpha
        red += codes.z * alpha
        cover += alpha
      }
      guard cover > 0 else { continue }
      c[x] = UInt8(blue / cover + 0.5)
      c[x + 1] = UInt8(red / cover + 0.5)
      let code = UInt8(cover * 127.5 + 0.5)
      (cCover[x], cCover[x + 1]) = (code, code)
      (first, last) = (min(first, x), x + 2)
    }
    return first < last ? first..<last : 0..<0
  }

  /// Returns the light of the foreground at a point and its coverage, 0…1; nil if there is none.
  ///
  /// The foreground is c + (1 − α) · background. Painted over a green far brighter than any light in the scene, it
  /// shows almost everywhere whether α is 0 or 1, so that only edges must be painted twice.
  private static func separate(
    _ painter: ScenePainter, _ s: Float, _ t: Float
  ) -> (light: SIMD3<Float>, alpha: Float)? {
    // Any brighter, and 32-bit sums would lose the foreground's own green.
    let bright: Float = 4096
    let over = painter.foreground(over: SIMD3(0, bright, 0), s, t)
    if over.y >= bright { return nil }
    // Nothing in the scene is greener than this, so no green shines through.
    if over.y < 1.2 * max(over.x, over.z) + 0.002 { return (over, 1) }
    let alone = painter.foreground(over: SIMD3(), s, t)
    let alpha = 1 - (over.y - alone.y) / bright
    guard alpha > 0.002 else { return nil }
    return (alone / alpha, min(alpha, 1))
  }
}
