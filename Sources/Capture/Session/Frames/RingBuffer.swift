/// A first-in, first-out queue in storage allocated once.
struct RingBuffer<Element> {
  private var slots: [Element?]
  private var head = 0
  private(set) var count = 0

  init(capacity: Int) { slots = Array(repeating: nil, count: capacity) }

  var capacity: Int { slots.count }
  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count == slots.count }
  var freeCount: Int { slots.count - count }

  /// Appends `element`; returns false if the buffer is full.
  mutating func append(_ element: Element) -> Bool {
    guard !isFull else { return false }
    slots[index(count)] = element
    count += 1
    return true
  }

  /// Removes the oldest element. Its slot is cleared, so that a removed frame holds no memory here.
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = index(1)
    count -= 1
    return element
  }

  private func index(_ offset: Int) -> Int {
    let sum = head + offset
    return sum < slots.count ? sum : sum - slots.count
  }
}
