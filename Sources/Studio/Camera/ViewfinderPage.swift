import Safelight

/// A page that looks at live frames: what it has been sent, and what it still has to draw.
struct ViewfinderPage {
  let peer: any StudioPeer
  var view: StudioView?
  /// The number of its newest input that the look includes.
  var input = 0
  var comparesOriginal = false
  private var flights: [Flight] = []
  /// Since its last report.
  private(set) var sent = 0
  private(set) var latency = LatencyHistogram()
  /// Since it looks.
  private(set) var drops = Drops()
  private var lastHistogram: Timestamp?

  /// A frame on its way, with its original if that is wanted too.
  private struct Flight {
    let sequence: UInt64
    /// The last of its messages.
    let number: Int
  }

  /// Frames that the camera made and the page has not been sent.
  struct Drops: Equatable {
    /// The page had not drawn two earlier ones, or its line is slow.
    var page = 0
    /// Earlier ones were still rendered.
    var late = 0
    /// The source lost, spoiled or did not make them.
    var source = 0
    /// They could not be rendered.
    var failed = 0
  }

  private static let mostInFlight = 2
  private static let mostBytesWaiting = 2 << 20
  /// Seconds between two histograms.
  private static let histogramInterval = 0.19

  init(_ peer: any StudioPeer) { self.peer = peer }

  /// Whether it wants frames and has not got its fill.
  var hasCredit: Bool { view != nil && flights.count < Self.mostInFlight }
  /// Whether what was sent has left: a page with a slow line must not fill the memory.
  var hasRoom: Bool { peer.bytesWaiting < Self.mostBytesWaiting }
  var isReady: Bool { hasCredit && hasRoom }

  mutating func sent(_ sequence: UInt64, number: Int, age: Double) {
    flights.append(Flight(sequence: sequence, number: number))
    sent += 1
    latency.add(seconds: age)
  }

  mutating func drawn(_ number: Int) {
    guard let last = flights.lastIndex(where: { $0.number <= number }) else { return }
    // Frames before it were passed over.
    flights.removeSubrange(...last)
  }

  mutating func lost(_ drops: Drops) {
    guard view != nil else { return }
    self.drops.page += drops.page
    self.drops.late += drops.late
    self.drops.source += drops.source
    self.drops.failed += drops.failed
  }

  /// The camera was opened anew: what was on its way is of another one.
  mutating func startAgain() {
    (flights, drops) = ([], Drops())
    _ = takeReport()
  }

  /// Whether its next frame is to come with a histogram.
  mutating func takesHistogram(at time: Timestamp) -> Bool {
    if let last = lastHistogram, time.seconds(since: last) < Self.histogramInterval { return false }
    lastHistogram = time
    return true
  }

  mutating func takeReport() -> (sent: Int, latency: LatencyHistogram) {
    defer { (sent, latency) = (0, LatencyHistogram()) }
    return (sent, latency)
  }
}
