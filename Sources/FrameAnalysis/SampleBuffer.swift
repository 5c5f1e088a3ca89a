/// Memory for samples that is kept from frame to frame and grows only for a larger picture.
struct SampleBuffer<Sample: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Sample>
  private(set) var capacity: Int

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// Makes room for `count` samples; discards the contents if it has to grow.
  mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    base.deallocate()
    base = .allocate(capacity: count)
    capacity = count
  }
}
