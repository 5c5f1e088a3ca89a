import PixelKernels

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

  // MARK: Planar samples

  /// Samples of the tile's source, of three planes, and the same before they are turned about their diagonal.
  let windows, turning: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>
  /// What the first of two passes makes of 64 columns of the output.
  let firstPass: UnsafeMutablePointer<Int16>
  /// The weights of two passes, which the kernel keeps from tile to tile.
  let laneTables: UnsafeMutableRawPointer
  /// The tile, sampled, of three planes: see `sums(_:row:)`.
  private let tileSums: UnsafeMutablePointer<Int16>
  /// For the kernels: planes, and addresses of each one's target and row.
  let planes: UnsafeMutablePointer<sl_plane>
  let targets: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Int16>?>
  /// A row of planar R'G'B' of 16 bit; its alpha.
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
    turning = .allocate(capacity: 3)
    for plane in 0..<3 {
      windows.advanced(by: plane).initialize(to: allocate(Self.windowBytes))
      windows[plane].initialize(repeating: 0, count: Self.windowBytes)
      // Not touched, and so not there, until something is turned.
      turning.advanced(by: plane).initialize(to: allocate(Self.windowBytes))
    }
    // A window has at most as many rows as fit beside the narrowest rows there are.
    firstPass = allocate(3 * 64 * (Self.windowBytes / 64 + 4))
    let tableBytes = sl_lane_tables_bytes()
    laneTables = .allocate(byteCount: tableBytes, alignment: 64)
    laneTables.initializeMemory(as: UInt8.self, repeating: 0, count: tableBytes)
    tileSums = allocate(3 * Self.width * Self.height)
    planes = .allocate(capacity: 3)
    planes.initialize(repeating: sl_plane(), count: 3)
    targets = .allocate(capacity: 3)
    targets.initialize(repeating: nil, count: 3)
    rows = .allocate(capacity: 3)
    rows.initialize(repeating: nil, count: 3)
    slabBase = .allocate(byteCount: 64, alignment: 64)
  }

  /// Row `row` of the tile's samples of a plane, at 64 a level.
  func sums(_ plane: Int, row: Int) -> UnsafeMutablePointer<Int16> {
    tileSums + (plane * Self.height + row) * Self.width
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
      turning[plane].deallocate()
    }
    windows.deallocate()
    turning.deallocate()
    firstPass.deallocate()
    laneTables.deallocate()
    tileSums.deallocate()
    planes.deallocate()
    targets.deallocate()
    rows.deallocate()
    slabBase.deallocate()
  }
}
