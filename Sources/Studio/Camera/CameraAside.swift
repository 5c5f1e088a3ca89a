import Safelight

/// What is made of live frames beside showing them, on a thread that lets all others run first: small pictures in each
/// look, and the level of the horizon. It takes a frame when it has time for one and never delays any.
final class CameraAside: Sendable {
  /// Small pictures that a page wants.
  struct Looks: Sendable {
    let peer: any StudioPeer
    let size: Int
    /// The looks by their presets, nil for none, with the rest of the edit.
    let recipes: [(preset: String?, recipe: Recipe)]
    /// Whether they are renewed.
    let isLive: Bool
    /// Changes with each request.
    let version: Int
  }

  private struct State {
    var looks: [Int: Looks] = [:]
    var findsLevel = false
    /// What is to be done with the next frame, once.
    var once: [@Sendable (Frame) -> Void] = []
    var frame: Frame?
    var nextLooks = Timestamp(nanoseconds: 0)
    var nextLevel = Timestamp(nanoseconds: 0)
    var isClosed = false

    /// Whether there is something to be made of a frame now.
    func wantsFrame(at time: Timestamp) -> Bool {
      !once.isEmpty || !looks.isEmpty && nextLooks <= time || findsLevel && nextLevel <= time
    }

    /// Returns what is to be done with a frame at this time.
    mutating func takeDue(at time: Timestamp) -> (
      once: [@Sendable (Frame) -> Void], findsLevel: Bool, looks: [Looks]
    ) {
      let isLevelDue = findsLevel && nextLevel <= time
      if isLevelDue { nextLevel = time.advanced(bySeconds: CameraAside.levelInterval) }
      let isRound = nextLooks <= time
      if isRound { nextLooks = time.advanced(bySeconds: CameraAside.looksInterval) }
      defer { once = [] }
      return (once, isLevelDue, isRound ? Array(looks.values) : [])
    }
  }
  private let state = Monitor(State())
  private let thread: Joinable

  /// Seconds between two rounds of small pictures, and between two looks at the horizon.
  private static let (looksInterval, levelInterval) = (0.5, 0.15)

  /// - Parameter levelled: receives the level, as `Level.json`, on this thread.
  /// - Throws: `SafelightError` if memory or threads are short.
  init(_ renderer: CPURenderer, levelled: @escaping @Sendable (CameraLevel) -> Void) throws {
    let state = state
    let encoder = Monitor(try JPEGFrameEncoder(quality: 80))
    thread = Joinable(
      try WorkerThread(name: "camera-aside") {
        WorkerThread.lowerCurrentPriority()
        let meter = CameraLevelMeter()
        let maker = CameraLookMaker(renderer, encoder)
        while let frame = state.wait(for: Self.next) {
          let (once, findsLevel, looks) = state.update { $0.takeDue(at: .now) }
          for look in once { look(frame) }
          if findsLevel { levelled(meter.measure(frame)) }
          for each in looks {
            maker.send(each, of: frame) { state.read { $0.looks[each.peer.id]?.version == each.version } }
            guard !each.isLive else { continue }
            state.update {
              if $0.looks[each.peer.id]?.version == each.version { $0.looks[each.peer.id] = nil }
            }
          }
          if state.read({ $0.looks.isEmpty }) { maker.forget() }
        }
      })
  }

  private static func next(_ state: inout State) -> Frame?? {
    if state.isClosed { return .some(nil) }
    return state.frame.take().map { .some($0) }
  }

  /// A frame has come.
  func offer(_ frame: Frame) {
    let now = Timestamp.now
    guard state.read({ $0.frame == nil && $0.wantsFrame(at: now) }) else { return }
    state.update { $0.frame = frame }
  }

  func make(_ looks: Looks) {
    state.update { state in
      state.looks[looks.peer.id] = looks
      state.nextLooks = Timestamp(nanoseconds: 0)
    }
  }

  func endLooks(of peer: Int) { state.update { $0.looks[peer] = nil } }

  /// Does something with the next frame, on this thread.
  func look(_ once: @escaping @Sendable (Frame) -> Void) { state.update { $0.once.append(once) } }

  func findLevel(_ isWanted: Bool) { state.update { $0.findsLevel = isWanted } }

  func close() {
    state.update { $0.isClosed = true }
    thread.join()
  }
}

/// How level the camera is.
struct CameraLevel: Sendable {
  /// The clockwise turn that would level the picture, in degrees; nil if nothing tells it.
  var degrees: Double?
  /// 0…1.
  var confidence = 0.0
  /// The lines that it was found by: in 0…1 of the frame, upright.
  var evidence: [JSONValue] = []

  /// The level of what is seen of the frame through a look that turns it.
  func seen(through recipe: Recipe) -> CameraLevel {
    var seen = self
    for filter in recipe.filtersInPlanOrder {
      if let straighten = filter as? Straighten {
        seen.degrees = seen.degrees.map { $0 - Double(straighten.angle) }
      }
      if (filter as? Flip)?.axis == .horizontal || (filter as? Flip)?.axis == .vertical {
        seen.degrees = seen.degrees.map { -$0 }
      }
    }
    return seen
  }

  /// What comes with frames.
  var json: JSONValue {
    .object([
      "degrees": degrees.map { .number(PlainNumber.rounded($0, 2)) } ?? .null,
      "confidence": .number(PlainNumber.rounded(confidence, 2)),
    ])
  }
}

/// Measures the level of live frames. Used by one thread.
private final class CameraLevelMeter {
  private let proxy = AnalysisProxy()
  private let detector = HorizonDetector()
  private var tracker = HorizonTracker()
  private static let mostLines = 24

  func measure(_ frame: Frame) -> CameraLevel {
    // Of a frame that cannot be measured, nothing is known.
    guard (try? proxy.update(from: frame)) != nil else { return CameraLevel() }
    let horizon = detector.detect(in: proxy)
    guard let degrees = tracker.update(horizon, at: frame.time) else { return CameraLevel() }
    let found = detector.evidence()
    let size = frame.orientation.applied(to: frame.buffer.size)
    let edge = Double(size.longEdge)
    func line(_ line: HorizonEvidence.Line) -> JSONValue {
      .object([
        "x1": .number(line.from.x * edge / Double(size.width)),
        "y1": .number(line.from.y * edge / Double(size.height)),
        "x2": .number(line.to.x * edge / Double(size.width)),
        "y2": .number(line.to.y * edge / Double(size.height)), "kind": .string(line.role.rawValue),
      ])
    }
    let lines = found.lines.filter { $0.role != .other }.prefix(Self.mostLines)
    return CameraLevel(
      degrees: degrees, confidence: horizon.confidence,
      evidence: (Array(lines) + [found.boundary].compactMap { $0 }).map(line))
  }
}
