import Capture
import FrameCore
import Testing

@Suite struct ConnectionTests {
  @Test("Only a preview of a front camera is mirrored by itself")
  func automaticMirroring() {
    let connection = Connection()
    for facing in [CameraFacing.front, .back, .external] {
      for purpose in [OutputPurpose.data, .preview] {
        #expect(
          connection.isMirrored(facing: facing, purpose: purpose) == (facing == .front && purpose == .preview)
        )
      }
    }
    #expect(Connection(mirroring: .on).isMirrored(facing: .back, purpose: .data))
    #expect(!Connection(mirroring: .off).isMirrored(facing: .front, purpose: .preview))
  }

  /// Where the point (x, y) of a picture of width w and height h goes, done by hand for each step.
  private func turnedClockwise(_ p: (Int, Int), _ w: inout Int, _ h: inout Int) -> (Int, Int) {
    let moved = (h - 1 - p.1, p.0)
    swap(&w, &h)
    return moved
  }

  /// EXIF's own words for the eight cases: where row 0 and column 0 of the stored samples are shown.
  private func shown(_ orientation: Orientation, _ p: (Int, Int), _ w: Int, _ h: Int) -> (Int, Int) {
    switch orientation {
    case .up: (p.0, p.1)
    case .upMirrored: (w - 1 - p.0, p.1)
    case .down: (w - 1 - p.0, h - 1 - p.1)
    case .downMirrored: (p.0, h - 1 - p.1)
    case .leftMirrored: (p.1, p.0)
    case .right: (h - 1 - p.1, p.0)
    case .rightMirrored: (h - 1 - p.1, w - 1 - p.0)
    case .left: (p.1, w - 1 - p.0)
    }
  }

  @Test(
    "A frame's orientation, then the turn, then the mirror: every point lands where moving pixels puts it",
    arguments: Orientation.allCases, Connection.Rotation.allCases)
  func composition(own: Orientation, rotation: Connection.Rotation) {
    for mirroring in [Connection.Mirroring.on, .off] {
      let connection = Connection(rotation: rotation, mirroring: mirroring)
      let whole = own.then(connection.orientation(facing: .external, purpose: .data))
      for point in [(0, 0), (4, 0), (1, 2), (3, 1)] {
        var (w, h) = own.swapsAxes ? (3, 5) : (5, 3)
        var expected = shown(own, point, 5, 3)
        for _ in 0..<(rotation.rawValue / 90) { expected = turnedClockwise(expected, &w, &h) }
        if mirroring == .on { expected = (w - 1 - expected.0, expected.1) }
        #expect(shown(whole, point, 5, 3) == expected)
      }
    }
  }
}
