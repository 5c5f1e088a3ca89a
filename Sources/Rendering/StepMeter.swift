import PixelKernels

/// The steps of a CPU renderer's tiles, as numbers: a tile of 256 × 64 pixels goes through some hundreds of them.
struct StepSlot: Sendable, Hashable {
  let number: Int

  /// Bringing samples into the cache and into the form that the next steps take.
  static let load = StepSlot(number: 0)
  static let geometry = StepSlot(number: 1)
  static let ycbcr = StepSlot(number: 2)
  /// A reduction's rows, made narrower.
  static let narrow = StepSlot(number: 3)
  /// A reduction's narrow rows, averaged.
  static let blend = StepSlot(number: 4)
  static let dither = StepSlot(number: 5)
  static let store = StepSlot(number: 6)

  /// A stage of colour, counted among those of its plan.
  static func color(_ index: Int) -> StepSlot { StepSlot(number: firstColor + index) }
  static let firstColor = 7
}

/// Adds up what the steps of one thread's pieces take. Belongs to that thread while it has a piece.
///
/// A value behind a pointer and not an object: a step costs one reading of the processor's clock.
struct StepMeter {
  /// A piece of work, in ticks.
  struct Span {
    var frame = 0
    var piece = 0
    var isReduction = false
    var begin: UInt64 = 0
    var end: UInt64 = 0
  }

  let slots: Int
  /// Of each slot, the ticks that it took and how often it was run.
  let ticks: UnsafeMutablePointer<UInt64>
  let laps: UnsafeMutablePointer<UInt64>
  /// A ring: the newest take the place of the oldest.
  let spans: UnsafeMutablePointer<Span>
  let spanCapacity: Int
  /// Spans taken, those included that are no longer there.
  private(set) var spanCount = 0
  /// The frame that pieces belong to, set between frames.
  var frame = 0
  /// Ticks between the beginnings and ends of pieces.
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

  /// Counts the time since the last step, or since the piece began, for the step that has just ended.
  @inline(__always)
  mutating func lap(_ slot: StepSlot) {
    let now = sl_ticks()
    // A plan with more stages than the probe was made for.
    let index = min(slot.number, slots - 1)
    ticks[index] &+= now &- last
    laps[index] &+= 1
    last = now
  }

  mutating func end(piece: Int, isReduction: Bool) {
    let now = sl_ticks()
    busy &+= now &- began
    guard spanCapacity > 0 else { return }
    spans[spanCount % spanCapacity] = Span(
      frame: frame, piece: piece, isReduction: isReduction, begin: began, end: now)
    spanCount += 1
  }
}
