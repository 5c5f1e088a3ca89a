import Safelight

/// Photos and bursts that are under way, in the order of their presses.
struct CaptureOrders {
  struct Order {
    let press: ShutterPress
    /// Nil for a photo by itself.
    let burst: PhotoBurst<DeliveredPhoto>?
    /// The number of photos that a burst should have; nil if it lasts until its key is released.
    let asked: Int?
    fileprivate let single: PhotoCapture<DeliveredPhoto>?

    /// Complete once the burst has ended.
    var captures: [PhotoCapture<DeliveredPhoto>] { burst?.captures ?? (single.map { [$0] } ?? []) }

    fileprivate var hasEnded: Bool { burst?.hasEnded ?? single?.hasEnded ?? true }
  }

  private var orders: [Order] = []
  /// Whether bursts were asked to end before they were complete.
  private(set) var isStopped = false

  var photoCount: Int { orders.count { $0.burst == nil } }
  var burstCount: Int { orders.count { $0.burst != nil } }

  mutating func add(_ capture: PhotoCapture<DeliveredPhoto>, for press: ShutterPress) {
    orders.append(Order(press: press, burst: nil, asked: nil, single: capture))
  }

  mutating func add(_ burst: PhotoBurst<DeliveredPhoto>, of count: Int?, for press: ShutterPress) {
    orders.append(Order(press: press, burst: burst, asked: count, single: nil))
  }

  /// Removes and returns the oldest order if it has ended.
  ///
  /// - Parameter all: whether to return it before.
  mutating func next(all: Bool) -> Order? {
    guard let first = orders.first, all || first.hasEnded else { return nil }
    return orders.removeFirst()
  }

  mutating func stopBursts() {
    isStopped = true
    for order in orders { order.burst?.stop() }
  }
}
