/// The memory of one tile: windows of its source, a row as sampled, and rows of planes. One thread's own.
final class TileScratch: @unchecked Sendable {
  /// Output pixels a tile. With a turn of a few degrees the source of a tile is about 280 × 80 pixels.
  static let width = 256
  static let height = 64
  /// Bytes of the window of one camera plane: the diagonal of a tile with the reach of the resampling filter on
  /// both sides, at the longest step that plans have, and room for what vectors read ahead.
  static let windowBytes = 352 * 304

  /// Which of a pool's threads this memory is of; 0 is whoever brings the work.
  let thread: Int
  /// Where a probe wants to know what the steps of the present piece take; nil where there is none.
  var meter: UnsafeMutablePointer<StepMeter>?

  /// One interleaved row, of the widest samples.
  let row: UnsafeMutableRawPointer
  let r, g, b, dither: UnsafeMutablePointer<Float>

  // MARK: Camera formats

  /// Samples of the tile's source: of luma and both colour differences.
  let windows: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>
  /// A row of each, sampled, at 64 a level; planar R'G'B' of 16 bit; alpha.
  let sums: UnsafeMutablePointer<UnsafeMutablePointer<Int16>?>
  let red, green, blue, alpha: UnsafeMutablePointer<UInt16>

  /// Memory that grows to what is asked for: see `slab(_:)`.
  private var slabBase: UnsafeMutableRawPointer
  private var slabBytes = 0

  init(thread: Int = 0) {
    self.thread = thread
    func allocate<Sample>(_ count: Int) -> UnsafeMutablePointer<Sample> {
      UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Sample>.stride, alignment: 64)
        .bindMemory(to: Sample.self, capacity: count)
    }
    row = .allocate(byteCount: Self.width * 16, alignment: 64)
    (r, g, b, dither) = (
      allocate(Self.width), allocate(Self.width), allocate(Self.width), allocate(Self.width)
    )
    (red, green, blue, alpha) = (
      allocate(Self.width), allocate(Self.width), allocate(Self.width), allocate(Self.width)
    )
    windows = .allocate(capacity: 3)
    sums = .allocate(capacity: 3)
    for plane in 0..<3 {
      windows.advanced(by: plane).initialize(to: allocate(Self.windowBytes))
      windows[plane].initialize(repeating: 0, count: Self.windowBytes)
      sums.advanced(by: plane).initialize(to: allocate(Self.width))
    }
    slabBase = .allocate(byteCount: 64, alignment: 64)
  }

  /// At least `bytes`, aligned for vectors, with whatever was in it; nothing is allocated where it was as large
  /// before.
  func slab(_ bytes: Int) -> UnsafeMutableRawPointer {
    if bytes > slabBytes {
      slabBase.deallocate()
      slabBase = .allocate(byteCount: bytes, alignment: 64)
      slabBytes = bytes
    }
    return slabBase
  }

  deinit {
    row.deallocate()
    for plane in [r, g, b, dither] { plane.deallocate() }
    for plane in [red, green, blue, alpha] { plane.deallocate() }
    for plane in 0..<3 {
      windows[plane].deallocate()
      sums[plane]?.deallocate()
    }
    windows.deallocate()
    sums.deallocate()
    slabBase.deallocate()
  }
}
