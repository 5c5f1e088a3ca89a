import FrameCore
import Synchronization

/// The shapes of masks that were drawn lately: a plan that is made anew for each step of a slider draws none of them
/// again.
final class MaskShapeCache: Sendable {
  static let shared = MaskShapeCache(mostBytes: 16 << 20)

  private struct Entry {
    let mask: Mask
    let picture: PixelSize
    let shape: MaskShape

    var bytes: Int { shape.size.pixelCount + mask.pointCount * MemoryLayout<MaskPoint>.stride }
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
    if let known = entries.withLock({ Self.use(mask, picture, of: &$0) }) { return known }
    // Not while others wait; two threads that ask for one mask at a time both draw it.
    let raster = MaskRaster(mask, for: picture)
    let shape = MaskShape(size: raster.size, raster.values)
    return entries.withLock { entries in
      if let known = Self.use(mask, picture, of: &entries) { return known }
      entries.append(Entry(mask: mask, picture: picture, shape: shape))
      var bytes = entries.reduce(0) { $0 + $1.bytes }
      while bytes > mostBytes, entries.count > 1 { bytes -= entries.removeFirst().bytes }
      return shape
    }
  }

  private static func use(_ mask: Mask, _ picture: PixelSize, of entries: inout [Entry]) -> MaskShape? {
    guard let index = entries.lastIndex(where: { $0.picture == picture && $0.mask == mask }) else {
      return nil
    }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.shape
  }
}
