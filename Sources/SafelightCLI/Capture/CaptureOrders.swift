import Safelight

/// Photos and bursts that are under way, in the order of their presses.
struct CaptureOrders {
  struct Order {
    let press: ShutterPress
    /// Nil for a photo by itself and for brackets.
    let burst: PhotoBurst<DeliveredPhoto>?
    /// The number of photos that a burst should have; nil if it lasts until its key is released.
    let asked: Int?
    /// A photo by itself, or those of a bracket.
    /// Why a bracket has not all of its photos.
    let failure: SafelightError?
    fileprivate let photos: [PhotoCapture<DeliveredPhoto>]

    /// Complete once the burst has ended.
    var captures: [PhotoCapture<DeliveredPhoto>] { burst?.captures ?? photos }

    fileprivate var hasEnded: Bool { burst?.hasEnded ?? photos.allSatisfy(\.hasEnded) }
  }

  private var orders: [Order] = []
  /// Whether bursts were asked to end before they were complete.
  private(set) var isStopped = false

  var photoCount: Int { orders.count { $0.burst == nil } }
  var burstCount: Int { orders.count { $0.burst != nil } }

  var isEmpty: Bool { orders.isEmpty }

  mutating func add(
    _ photos: [PhotoCapture<DeliveredPhoto>], for press: ShutterPress, failure: SafelightError? = nil
  ) {
    orders.append(Order(press: press, burst: nil, asked: nil, failure: failure, photos: photos))
  }

  mutating func add(_ burst: PhotoBurst<DeliveredPhoto>, of count: Int?, for press: ShutterPress) {
    orders.append(Order(press: press, burst: burst, asked: count, failure: nil, photos: []))
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
