import PixelKernels

/// The memory of one tile: windows of its source, a row of samples, and rows of planes. Owned by one thread.
final class TileScratch: @unchecked Sendable {
  /// Output pixels of a tile. With a rotation of a few degrees the source of a tile is about 280 × 80 pixels.
  static let width = 256
  static let height = 64
  /// The bytes of one camera plane's window: the diagonal of a tile plus the reach of the resampling filter on both
  /// sides, at the largest step in any plan, and room for the vectors' read-ahead.
  static let windowBytes = 352 * 304

  /// The pool thread that owns this memory; 0 is the thread that submits the work.
  let thread: Int
  /// Measures the steps of the current piece for a probe; nil if there is none.
  var meter: UnsafeMutablePointer<StepMeter>?
  /// The grids of the current picture, one for each field with local tone; nil if there is none.
  var light: UnsafePointer<sl_light_grid>?
  /// Where the pixels of the current row are.
  let placing = RowPlaces()

  /// One interleaved row, for the widest samples.
  let row: UnsafeMutableRawPointer
  /// One interleaved row of encoded light, for a table behind exact stages.
  let placed: UnsafeMutableRawPointer
  let r, g, b, dither: UnsafeMutablePointer<Float>

  // MARK: Planar samples

  /// Samples of the tile's source in three planes, and the same before transposition.
  let windows, turning: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>
  /// The result of the first of two passes for 64 columns of the output.
  let firstPass: UnsafeMutablePointer<Int16>
  /// The weights of two passes, which the kernel keeps from tile to tile.
  let laneTables: UnsafeMutableRawPointer
  /// The sampled tile in three planes: see `sums(_:row:)`.
  private let tileSums: UnsafeMutablePointer<Int16>
  /// Kernel arguments: planes, and the address of each one's target and row.
  let planes: UnsafeMutablePointer<sl_plane>
  let targets: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Int16>?>
  /// The matrix of the tile's luma and colour differences. Copied once a tile: a copy for every row would be
  /// read before it has reached the cache, and wait for all pixels stored before it.
  let matrix: UnsafeMutablePointer<sl_ycbcr_matrix>
  /// A row of planar 16-bit R'G'B' and alpha.
  let red, green, blue, alpha: UnsafeMutablePointer<UInt16>

  private let slabMemory = GrowingMemory()
  private let neighboursMemory = GrowingMemory()
  private let sampledMemory = GrowingMemory()
  /// What the kernel of a projection keeps.
  let blockMemory: OpaquePointer

  init(thread: Int = 0) {
    self.thread = thread
    func allocate<Sample>(_ count: Int) -> UnsafeMutablePointer<Sample> {
      UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Sample>.stride, alignment: 64)
        .bindMemory(to: Sample.self, capacity: count)
    }
    row = .allocate(byteCount: Self.width * 16, alignment: 64)
    placed = .allocate(byteCount: Self.width * 8, alignment: 64)
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
      // Not initialized, so that its pages take no memory until something is transposed.
      turning.advanced(by: plane).initialize(to: allocate(Self.windowBytes))
    }
    // A window has at most as many rows as fit with the narrowest rows.
    firstPass = allocate(3 * 64 * (Self.windowBytes / 64 + 4))
    let tableBytes = sl_lane_tables_bytes()
    laneTables = .allocate(byteCount: tableBytes, alignment: 64)
    laneTables.initializeMemory(as: UInt8.self, repeating: 0, count: tableBytes)
    tileSums = allocate(3 * Self.width * Self.height)
    planes = .allocate(capacity: 3)
    planes.initialize(repeating: sl_plane(), count: 3)
    targets = .allocate(capacity: 3)
    targets.initialize(repeating: nil, count: 3)
    matrix = .allocate(capacity: 1)
    matrix.initialize(to: sl_ycbcr_matrix())
    rows = .allocate(capacity: 3)
    rows.initialize(repeating: nil, count: 3)
    blockMemory = sl_make_block_memory()
  }

  /// Returns row `row` of the tile's samples in a plane, at 64 per level.
  func sums(_ plane: Int, row: Int) -> UnsafeMutablePointer<Int16> {
    tileSums + (plane * Self.height + row) * Self.width
  }

  /// Returns at least `bytes` of memory, aligned for vectors, with undefined contents. Allocates only if it has to
  /// grow.
  func slab(_ bytes: Int) -> UnsafeMutableRawPointer { slabMemory.bytes(bytes) }

  /// As `slab(_:)`, for the pixels of a tile that is combined with its halo: both may be in use at once.
  func neighbours(_ bytes: Int) -> UnsafeMutableRawPointer { neighboursMemory.bytes(bytes, zeroed: true) }

  /// As `slab(_:)`, for the samples of a tile.
  func sampled(_ bytes: Int) -> UnsafeMutableRawPointer { sampledMemory.bytes(bytes) }

  deinit {
    row.deallocate()
    placed.deallocate()
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
    matrix.deallocate()
    sl_free_block_memory(blockMemory)
  }
}

/// Memory that is allocated again only where it has to grow.
private final class GrowingMemory {
  private var base: UnsafeMutableRawPointer?
  private var count = 0

  /// - Parameter zeroed: whether it is zero when it is new.
  func bytes(_ count: Int, zeroed: Bool = false) -> UnsafeMutableRawPointer {
    if let base, count <= self.count { return base }
    base?.deallocate()
    let grown = UnsafeMutableRawPointer.allocate(byteCount: max(count, 64), alignment: 64)
    if zeroed { grown.initializeMemory(as: UInt8.self, repeating: 0, count: count) }
    (base, self.count) = (grown, count)
    return grown
  }

  deinit { base?.deallocate() }
}
