import Safelight

/// Shows live frames to pages, on a thread of its own: it waits neither for the desk nor for a page.
///
/// A page has at most two frames that it has not drawn yet. While no page takes one, frames pass by: the next that is
/// rendered is the newest. Each frame that a page is not sent is counted.
final class Viewfinder: Sendable {
  /// What frames look like.
  struct Look: Sendable {
    var recipe = Recipe()
    var zoom = 1.0
    /// Changes with the rest.
    var version = 0
  }

  struct State {
    var pages: [Int: ViewfinderPage] = [:]
    var look = Look()
    /// Nil while no camera runs.
    var output: VideoDataOutput?
    /// Where a frame of a clip is in it.
    var playback: VideoPlayback?
    /// What was last measured of the level.
    var level: JSONValue = .null
    var isClosed = false
  }

  /// What happens, told on the viewfinder's thread.
  struct Events: Sendable {
    /// A frame of another size, upright, has come.
    var sized: @Sendable (PixelSize) -> Void = { _ in }
    /// The look of this version cannot be shown.
    var failed: @Sendable (any Error, _ version: Int) -> Void = { _, _ in }
    /// A frame has come that others may look at, too.
    var passed: @Sendable (Frame) -> Void = { _ in }
  }

  let state = Monitor(State())
  private let thread: Joinable

  /// - Throws: `SafelightError` if memory or threads are short.
  init(_ renderer: CPURenderer, numbers: FrameNumbers, _ events: Events) throws {
    let (state, encoder) = (state, try StripeEncoder())
    thread = Joinable(
      try WorkerThread(name: "viewfinder") {
        // Without the privilege the thread keeps its priority.
        _ = WorkerThread.raiseCurrentPriority()
        let work = ViewfinderWork(state, renderer, encoder, numbers, events)
        while work.turn() {}
      })
  }

  func close() {
    state.update { state in
      state.isClosed = true
      state.output?.wake()
    }
    thread.join()
  }

  // MARK: Pages

  func look(at view: StudioView?, from peer: any StudioPeer) {
    state.update { state in
      var page = state.pages[peer.id] ?? ViewfinderPage(peer)
      page.view = view
      state.pages[peer.id] = page
    }
  }

  func leave(_ peer: Int) { state.update { $0.pages[peer] = nil } }

  func drawn(_ frame: Int, by peer: Int) {
    guard state.read({ $0.pages[peer] != nil }) else { return }
    state.update { $0.pages[peer]?.drawn(frame) }
  }

  func setAssist(_ assist: CameraAssist, of peer: any StudioPeer) {
    state.update { state in
      var page = state.pages[peer.id] ?? ViewfinderPage(peer)
      page.comparesOriginal = assist.compare
      state.pages[peer.id] = page
    }
  }

  // MARK: The look

  /// - Parameter input: of a page whose change this is.
  func show(_ look: Look, input: (peer: Int, number: Int)? = nil) {
    state.update { state in
      state.look = look
      guard let input, let page = state.pages[input.peer] else { return }
      state.pages[input.peer]?.input = max(page.input, input.number)
    }
  }

  // MARK: The camera

  /// Shows the frames of an output; nil shows none any more.
  func follow(_ output: VideoDataOutput?, _ playback: VideoPlayback? = nil) {
    state.update { state in
      state.output?.wake()
      (state.output, state.playback, state.level) = (output, playback, .null)
      for id in state.pages.keys { state.pages[id]?.startAgain() }
    }
  }

  /// Returns the level of what is seen.
  func setLevel(_ level: CameraLevel) -> CameraLevel {
    let seen = level.seen(through: state.read { $0.look.recipe })
    state.update { $0.level = seen.json }
    return seen
  }
}

/// Numbers of frames, each used once: pages tell by them what they have drawn.
final class FrameNumbers: Sendable {
  private let last = Monitor(0)

  func next() -> Int {
    last.update { last in
      last += 1
      return last
    }
  }
}

// MARK: - Reports

extension Viewfinder {
  /// What a page has been sent since the last report.
  struct Report: Sendable {
    let sent: Int
    /// From capture to sending.
    let latency: LatencyHistogram
    /// Since the page looks.
    let drops: ViewfinderPage.Drops
  }

  func takeReports() -> [Int: Report] {
    state.update { state in
      var reports: [Int: Report] = [:]
      for (id, page) in state.pages {
        var page = page
        let (sent, latency) = page.takeReport()
        state.pages[id] = page
        reports[id] = Report(sent: sent, latency: latency, drops: page.drops)
      }
      return reports
    }
  }
}
