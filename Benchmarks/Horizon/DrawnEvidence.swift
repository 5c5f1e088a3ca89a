import FrameAnalysis
import FrameCore
import PhotoIO

/// A picture with the evidence for its horizon: upright lines red, level lines green, others grey, the boundary
/// yellow, and the level found blue across the middle.
struct DrawnEvidence {
  private let canvas: PixelBuffer

  init(_ picture: PixelBuffer, orientation: Orientation, _ horizon: Horizon, _ evidence: HorizonEvidence)
    throws
  {
    let shown = orientation.applied(to: picture.size)
    let scale = max(1, Double(shown.longEdge) / 900)
    let size = PixelSize(
      width: max(1, Int(Double(shown.width) / scale)), height: max(1, Int(Double(shown.height) / scale)))
    canvas = try PixelBuffer(size: size, format: .rgba8)
    for y in 0..<size.height {
      let row = canvas.row(y, as: UInt8.self)
      for x in 0..<size.width {
        let (storedX, storedY) = Self.stored(
          Int(Double(x) * scale), Int(Double(y) * scale), of: shown, picture.size, orientation)
        let from = picture.row(storedY, as: UInt8.self)
        let bytes = picture.format == .rgba8 ? 4 : 1
        for channel in 0..<3 {
          // Paler, so that lines stand out.
          row[4 * x + channel] = UInt8(40 + Int(from[bytes * storedX + (bytes == 4 ? channel : 0)]) * 7 / 10)
        }
        row[4 * x + 3] = 255
      }
    }
    for line in evidence.lines.reversed() {
      let color: SIMD3<UInt8> =
        switch line.role {
        case .upright: [255, 30, 30]
        case .level: [20, 230, 60]
        case .other: [190, 190, 190]
        }
      draw(line, color, thickness: line.role == .other ? 1 : 2)
    }
    if let boundary = evidence.boundary { draw(boundary, [255, 220, 0], thickness: 3) }
    guard let degrees = horizon.degrees else { return }
    let middle = SIMD2(Double(size.width), Double(size.height)) / (2 * Double(size.longEdge))
    let way = SIMD2(cosine(degrees), -sine(degrees)) * 0.25
    draw(
      HorizonEvidence.Line(from: middle - way, to: middle + way, role: .level),
      horizon.isConfident ? [40, 110, 255] : [150, 100, 255], thickness: 4)
  }

  func write(to path: String) throws {
    let writer = try PhotoWriter(to: path, size: canvas.size, quality: 88, overwrite: true)
    try writer.write(canvas)
    try writer.finish(durable: false)
  }

  private func draw(_ line: HorizonEvidence.Line, _ color: SIMD3<UInt8>, thickness: Int) {
    let unit = Double(canvas.size.longEdge)
    let way = (line.to - line.from) * unit
    let steps = max(1, Int(max(abs(way.x), abs(way.y)).rounded(.up)))
    let isFlat = abs(way.x) > abs(way.y)
    for step in 0...steps {
      let at = line.from * unit + way * (Double(step) / Double(steps))
      for aside in 0..<thickness {
        let (x, y) = (
          Int(at.x.rounded(.down)) + (isFlat ? 0 : aside - thickness / 2),
          Int(at.y.rounded(.down)) + (isFlat ? aside - thickness / 2 : 0)
        )
        guard (0..<canvas.width).contains(x), (0..<canvas.height).contains(y) else { continue }
        let row = canvas.row(y, as: UInt8.self)
        for channel in 0..<3 { row[4 * x + channel] = color[channel] }
      }
    }
  }

  /// Returns where the pixel displayed at (x, y) is stored.
  private static func stored(
    _ x: Int, _ y: Int, of shown: PixelSize, _ size: PixelSize, _ orientation: Orientation
  ) -> (Int, Int) {
    let (storedX, storedY) =
      switch orientation.quarterTurns {
      case 0: (x, y)
      case 1: (y, shown.width - 1 - x)
      case 2: (shown.width - 1 - x, shown.height - 1 - y)
      default: (shown.height - 1 - y, x)
      }
    return (orientation.isMirrored ? size.width - 1 - storedX : storedX, storedY)
  }
}
