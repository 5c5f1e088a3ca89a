import FilterGraph
import FrameCore

extension Plan {
  /// The bytes of the input's samples that the output shows, and that every renderer must read: a crop leaves the
  /// others unread. For a rotated picture those of the rotated rectangle, not of its upright bounding box; pixels
  /// beyond the input's edges are not read.
  public var shownInputBytes: Int {
    let whole = Double(input.size.pixelCount)
    guard whole > 0 else { return 0 }
    let bytes = ProfileSource.bytes(input.size, input.format)
    return Int((Double(bytes) * min(1, shownInputArea / whole)).rounded())
  }

  /// The bytes of the output's samples.
  public var outputBytes: Int { ProfileSource.bytes(outputSize, output.format) }

  /// The visible area in pixels of the input.
  private var shownInputArea: Double {
    for case .downsample(let downsample) in stages { return downsample.width * downsample.height }
    guard let geometry else { return Double(input.size.pixelCount) }
    let (map, bounds) = (geometry.map, geometry.inputBounds)
    // The area of the input that each pixel of the output covers is the map's determinant.
    let turned = abs(map.a * map.e - map.b * map.d) * Double(geometry.outputSize.pixelCount)
    let columns = min(bounds.maxX, Double(input.size.width)) - max(bounds.minX, 0)
    let rows = min(bounds.maxY, Double(input.size.height)) - max(bounds.minY, 0)
    return min(turned, max(0, columns) * max(0, rows))
  }
}
