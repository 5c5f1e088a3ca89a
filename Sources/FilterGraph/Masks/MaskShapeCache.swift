import FrameCore
import Synchronization

/// The shapes of masks that were drawn lately: a plan that is made anew for each step of a slider draws none of them
/// again.
final class MaskShapeCache: Sendable {
  static let shared = MaskShapeCache(mostBytes: 16 << 20)

  private struct Entry {
    let mask: Mask
    let picture: PixelSize
    let place: Place?
    let shape: MaskShape

    var bytes: Int { shape.size.pixelCount + mask.pointCount * MemoryLayout<MaskPoint>.stride }
  }

  /// Where a shape on the fine grid of a stored picture is.
  struct Place: Hashable {
    let stored: PixelSize
    let map: AffineMap
  }

  private let mostBytes: Int
  /// The last used one is the last.
  private let entries = Mutex<[Entry]>([])

  /// - Parameter mostBytes: what all shapes and their masks may take; the last used one stays whatever its size.
  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// The shapes that are kept.
  var count: Int { entries.withLock { $0.count } }

  /// Returns a mask without ranges of colours as a shape.
  ///
  /// - Parameter picture: the size of the picture turned upright and not cropped.
  func shape(of mask: Mask, for picture: PixelSize) -> MaskShape {
    shape(of: mask, picture, nil) {
      let raster = MaskRaster(mask, for: picture)
      return MaskShape(size: raster.size, raster.values)
    }
  }

  /// Returns it at the nodes of the fine light grid of the picture as it is stored.
  ///
  /// - Parameter stored: its size, and the map from its pixels to those of the upright one.
  func shape(
    of mask: Mask, for picture: PixelSize, stored: (size: PixelSize, map: AffineMap)
  ) -> MaskShape {
    shape(of: mask, picture, Place(stored: stored.size, map: stored.map)) {
      let drawn = self.shape(of: mask, for: picture)
      let nodes = LightGrid.size(for: stored.size, longEdge: LightGrid.fineLongEdge)
      let (sx, sy) = (
        Double(stored.size.width) / Double(nodes.width), Double(stored.size.height) / Double(nodes.height)
      )
      let toDrawn = AffineMap.scale(sx, sy).then(stored.map).then(
        .scale(
          Double(drawn.size.width) / Double(picture.width), Double(drawn.size.height) / Double(picture.height)
        )
      ).then(.translation(-0.5, -0.5))
      var values = [Float](repeating: 0, count: nodes.pixelCount)
      for y in 0..<nodes.height {
        for x in 0..<nodes.width {
          let place = toDrawn.apply(Double(x) + 0.5, Double(y) + 0.5)
          values[y * nodes.width + x] = Float(drawn.coverage(at: place.x, place.y))
        }
      }
      return MaskShape(size: nodes, values)
    }
  }

  private func shape(
    of mask: Mask, _ picture: PixelSize, _ place: Place?, draw: () -> MaskShape
  ) -> MaskShape {
    if let known = entries.withLock({ Self.use(mask, picture, place, of: &$0) }) { return known }
    // Not while others wait; two threads that ask for one mask at a time both draw it.
    let shape = draw()
    return entries.withLock { entries in
      if let known = Self.use(mask, picture, place, of: &entries) { return known }
      entries.append(Entry(mask: mask, picture: picture, place: place, shape: shape))
      var bytes = entries.reduce(0) { $0 + $1.bytes }
      while bytes > mostBytes, entries.count > 1 { bytes -= entries.removeFirst().bytes }
      return shape
    }
  }

  private static func use(
    _ mask: Mask, _ picture: PixelSize, _ place: Place?, of entries: inout [Entry]
  ) -> MaskShape? {
    guard
      let index = entries.lastIndex(where: {
        $0.picture == picture && $0.place == place && $0.mask == mask
      })
    else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.shape
  }
}
