import PixelKernels

/// The steps of a CPU renderer's tiles, as numbers: a tile of 256 × 64 pixels goes through some hundreds of them.
struct StepSlot: Sendable, Hashable {
  let number: Int

  /// Loading samples into the cache and into the form that the next steps read.
  static let load = StepSlot(number: 0)
  static let geometry = StepSlot(number: 1)
  static let ycbcr = StepSlot(number: 2)
  /// The horizontal pass of a downsampling.
  static let horizontal = StepSlot(number: 3)
  /// The vertical pass of a downsampling.
  static let vertical = StepSlot(number: 4)
  static let dither = StepSlot(number: 5)
  static let store = StepSlot(number: 6)

  /// Combining pixels with those around them.
  static let neighbours = StepSlot(number: 7)

  /// A colour stage, numbered within its plan.
  static func color(_ index: Int) -> StepSlot { StepSlot(number: firstColor + index) }
  static let firstColor = 8
}

/// Accumulates the times of the steps in one thread's pieces. Belongs to that thread while it has a piece.
///
/// A value behind a pointer rather than an object, so that a step costs only one reading of the processor's clock.
struct StepMeter {
  /// A piece of work, in ticks.
  struct Span {
    var frame = 0
    var piece = 0
    var isDownsampling = false
    var begin: UInt64 = 0
    var end: UInt64 = 0
  }

  let slots: Int
  /// The ticks that each slot took; `laps` counts its runs.
  let ticks: UnsafeMutablePointer<UInt64>
  let laps: UnsafeMutablePointer<UInt64>
  /// A ring buffer: the newest spans replace the oldest.
  let spans: UnsafeMutablePointer<Span>
  let spanCapacity: Int
  /// The number of spans recorded, including those overwritten.
  private(set) var spanCount = 0
  /// The frame that pieces belong to, set between frames.
  var frame = 0
  /// Ticks between the starts and ends of pieces.
  private(set) var busy: UInt64 = 0
  private var last: UInt64 = 0
  private var began: UInt64 = 0

  init(slots: Int, spanCapacity: Int) {
    self.slots = slots
    self.spanCapacity = spanCapacity
    ticks = .allocate(capacity: slots)
    laps = .allocate(capacity: slots)
    spans = .allocate(capacity: spanCapacity)
    spans.initialize(repeating: Span(), count: spanCapacity)
    reset()
  }

  func deallocate() {
    ticks.deallocate()
    laps.deallocate()
    spans.deallocate()
  }

  mutating func reset() {
    ticks.initialize(repeating: 0, count: slots)
    laps.initialize(repeating: 0, count: slots)
    (spanCount, busy) = (0, 0)
  }

  mutating func begin() {
    began = sl_ticks()
    last = began
  }

  /// Adds the time since the last step, or since the piece began, to the step that has just ended.
  @inline(__always)
  mutating func lap(_ slot: StepSlot) {
    let now = sl_ticks()
    // A plan may have more stages than the probe was made for.
    let index = min(slot.number, slots - 1)
    ticks[index] &+= now &- last
    laps[index] &+= 1
    last = now
  }

  mutating func end(piece: Int, isDownsampling: Bool) {
    let now = sl_ticks()
    busy &+= now &- began
    guard spanCapacity > 0 else { return }
    spans[spanCount % spanCapacity] = Span(
      frame: frame, piece: piece, isDownsampling: isDownsampling, begin: began, end: now)
    spanCount += 1
  }
}
