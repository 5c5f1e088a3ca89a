import FrameCore
import Libc

/// Moving and blending rows of bytes: the inner loops of `LivePainter`.
///
/// Lengths are in bytes. Loops process eight bytes at a time and may write up to seven beyond the end, so every
/// row has `slack` spare bytes.
enum RowKernels {
  typealias Row = UnsafeMutablePointer<UInt8>
  /// Bytes beyond the end of a row that may be read and written.
  static let slack = 64

  private typealias Lanes = SIMD8<UInt16>
  private static let lanes = Lanes(0, 1, 2, 3, 4, 5, 6, 7)

  @inline(__always)
  private static func load(_ row: UnsafePointer<UInt8>) -> Lanes {
    Lanes(truncatingIfNeeded: UnsafeRawPointer(row).loadUnaligned(as: SIMD8<UInt8>.self))
  }

  @inline(__always)
  private static func store(_ value: Lanes, _ row: Row) {
    UnsafeMutableRawPointer(row).storeBytes(
      of: SIMD8<UInt8>(truncatingIfNeeded: value), as: SIMD8<UInt8>.self)
  }

  /// `out` = `a` + (`b` − `a`) · `weight` / 256, with `weight` 0…256.
  @inline(__always)
  static func mix(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, weight: Int, count: Int, into out: Row
  ) {
    let second = Lanes(repeating: UInt16(truncatingIfNeeded: weight))
    let first = Lanes(repeating: 256) &- second
    let half = Lanes(repeating: 128)
    var x = 0
    while x < count {
      store((load(a + x) &* first &+ load(b + x) &* second &+ half) &>> 8, out + x)
      x &+= 8
    }
  }

  /// Blends `front` over `row`, weighted by `cover` (0…255).
  @inline(__always)
  static func lay(
    _ front: UnsafePointer<UInt8>, cover: UnsafePointer<UInt8>, over row: Row, count: Int
  ) {
    let whole = Lanes(repeating: 256)
    let half = Lanes(repeating: 128)
    var x = 0
    while x < count {
      let code = load(cover + x)
      // Map 0…255 to 0…256, so that full coverage shows the front alone.
      let alpha = code &+ (code &>> 7)
      store((load(front + x) &* alpha &+ load(row + x) &* (whole &- alpha) &+ half) &>> 8, row + x)
      x &+= 8
    }
  }

  /// Samples an oblique line across rows: byte x of `out` is at row `position + x · step` (16.16) of `ring`,
  /// interpolated between the two nearest rows.
  @inline(__always)
  static func shear(_ ring: RowRing, position: Int, step: Int, count: Int, into out: Row) {
    let (base, rowBytes, mask) = (UnsafePointer(ring.plane.base), ring.plane.rowBytes, ring.mask)
    let whole = Lanes(repeating: 256)
    let half = Lanes(repeating: 128)
    let ramp = lanes &* Lanes(repeating: UInt16(truncatingIfNeeded: step))
    let eight = UInt16(truncatingIfNeeded: 8 &* step)
    var x = 0
    while x < count {
      let here = position &+ x &* step
      let above = base + ((here >> 16) & mask) &* rowBytes
      let rest = here & 0xFFFF
      // The part of the line between these two rows.
      var run = count &- x
      if step > 0 {
        run = min(run, (0xFFFF &- rest) / step &+ 1)
      } else if step < 0 {
        run = min(run, rest / (0 &- step) &+ 1)
      }
      var fraction = ramp &+ Lanes(repeating: UInt16(truncatingIfNeeded: rest))
      let end = x &+ run
      while x < end {
        // Lanes beyond the run's end are overwritten by the next run.
        let weight = fraction &>> 8
        store(
          (load(above + x) &* (whole &- weight) &+ load(above + rowBytes + x) &* weight &+ half) &>> 8,
          out + x)
        fraction = fraction &+ Lanes(repeating: eight)
        x &+= 8
      }
      x = end
    }
  }
}

/// A plane of bytes with padding for `RowKernels`.
final class BytePlane: @unchecked Sendable {
  let width: Int
  let rows: Int
  let rowBytes: Int
  let base: UnsafeMutablePointer<UInt8>
  private let memory: UnsafeMutablePointer<UInt8>

  init(width: Int, rows: Int) throws {
    self.width = width
    self.rows = rows
    rowBytes = (width + RowKernels.slack + 63) / 64 * 64
    let bytes = rowBytes * rows + 2 * RowKernels.slack
    // Zeroed on first access, which for some planes is much later.
    guard let zeros = calloc(bytes, 1) else {
      throw SafelightError(
        .noMemory, "Not enough memory for \(bytes / 1_048_576) MiB of the synthetic scene",
        remedy: "close other programs or ask for a smaller size")
    }
    memory = zeros.bindMemory(to: UInt8.self, capacity: bytes)
    base = memory + RowKernels.slack
  }

  deinit { free(memory) }

  /// Returns the first byte of row `y`, which must be in the plane.
  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y &* rowBytes }
}

/// The latest rows of a plane too large for the cache, indexed by row number modulo a power of two.
struct RowRing {
  let plane: BytePlane
  let mask: Int

  /// - Parameter rows: the number of successive rows needed at once.
  init(width: Int, rows: Int) throws {
    var count = 1
    while count < rows { count *= 2 }
    mask = count - 1
    // The first row is repeated after the last, so that every row is followed by the one below it.
    plane = try BytePlane(width: width, rows: count + 1)
  }

  /// Returns where to write row `y`; call `finish(y)` afterwards.
  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { plane.row(y & mask) }

  @inline(__always)
  func finish(_ y: Int) {
    if y & mask == 0 { plane.row(mask &+ 1).update(from: plane.row(0), count: plane.width) }
  }
}
