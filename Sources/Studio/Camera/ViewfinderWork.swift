import Safelight

/// What the viewfinder's thread does.
final class ViewfinderWork {
  private let state: Monitor<Viewfinder.State>
  private let encoder: StripeEncoder
  private let numbers: FrameNumbers
  private let events: Viewfinder.Events
  private let plans: ViewfinderPlans
  /// Of the output that is followed.
  private var counted = FrameStatistics()
  private var countedOutput: ObjectIdentifier?
  private var size: PixelSize?
  /// The newest version of the look that could be shown, and the one of which it was told that it cannot.
  private var good = Viewfinder.Look()
  private var failedVersion: Int?

  init(
    _ state: Monitor<Viewfinder.State>, _ renderer: CPURenderer, _ encoder: StripeEncoder,
    _ numbers: FrameNumbers, _ events: Viewfinder.Events
  ) {
    (self.state, self.encoder, self.numbers, self.events) = (state, encoder, numbers, events)
    plans = ViewfinderPlans(renderer)
  }

  /// Waits for a page that takes a frame, and for the frame; returns whether to go on.
  func turn() -> Bool {
    let began = state.read { $0.pages.values.contains { $0.isReady } }
    guard let output = nextOutput() else {
      let (output, isClosed) = state.read { ($0.output, $0.isClosed) }
      if let output { count(output, isWaiting: true) }
      return !isClosed
    }
    count(output, isWaiting: !began)
    guard let frame = output.nextFrame(until: Timestamp.now.advanced(bySeconds: 0.1)) else {
      // An output that has ended returns at once.
      if output.isFinished {
        _ = state.wait(until: .now.advanced(bySeconds: 0.1)) { state -> Bool? in
          state.isClosed || state.output !== output ? true : nil
        }
      }
      return true
    }
    count(output, isWaiting: false)
    show(frame)
    return true
  }

  /// Waits until a page takes a frame; nil if something else is to be looked at first.
  private func nextOutput() -> VideoDataOutput? {
    let pause = state.read { state -> Double in
      guard state.output != nil else { return 3600 }
      // That a line is free again is not told. Meanwhile frames that pass by are counted.
      return state.pages.values.contains { $0.hasCredit && !$0.hasRoom } ? 0.01 : 0.25
    }
    let deadline = Timestamp.now.advanced(bySeconds: pause)
    return state.wait(until: deadline) { state -> VideoDataOutput?? in
      if state.isClosed { return .some(nil) }
      guard let output = state.output, state.pages.values.contains(where: { $0.isReady }) else { return nil }
      return .some(output)
    } ?? nil
  }

  /// Counts the frames that have passed by.
  ///
  /// - Parameter isWaiting: whether no page took any.
  private func count(_ output: VideoDataOutput, isWaiting: Bool) {
    let now = output.statistics
    // Of a new output, nothing was lost yet.
    if countedOutput != ObjectIdentifier(output) {
      (counted, countedOutput) = (now, ObjectIdentifier(output))
    }
    let late = now.droppedLate - counted.droppedLate
    let source = now.dropped - now.droppedLate - (counted.dropped - counted.droppedLate)
    counted = now
    guard late + source > 0 else { return }
    var drops = ViewfinderPage.Drops()
    drops.source = source
    if isWaiting { drops.page = late } else { drops.late = late }
    state.update { state in
      for id in state.pages.keys { state.pages[id]?.lost(drops) }
    }
  }

  // MARK: One frame

  private func show(_ frame: Frame) {
    events.passed(frame)
    let upright = frame.orientation.applied(to: frame.buffer.size)
    if size != upright {
      size = upright
      events.sized(upright)
    }
    // Pages that have no room now miss this frame.
    let (look, pages, level, playback) = state.update { state in
      for id in state.pages.keys where state.pages[id]?.isReady == false {
        state.pages[id]?.lost(ViewfinderPage.Drops(page: 1))
      }
      return (state.look, state.pages.values.filter(\.isReady), state.level, state.playback)
    }
    plans.advance(to: frame.time)
    // Pages with equal views are shown one picture.
    var made: [StudioView: Picture] = [:]
    for page in pages {
      guard var view = page.view else { continue }
      view.number = 0
      do {
        var pictures: [Picture] = []
        if page.comparesOriginal { pictures.append(try picture(frame, look, view, isOriginal: true)) }
        let edited = try made[view] ?? picture(frame, look, view, isOriginal: false)
        made[view] = edited
        pictures.append(edited)
        send(pictures, of: frame, level, playback?.position(of: frame.sequence), to: page)
      } catch {
        state.update { $0.pages[page.peer.id]?.lost(ViewfinderPage.Drops(failed: 1)) }
        tell(error, look.version)
      }
    }
  }

  private struct Picture {
    let shown: ViewfinderPlans.Shown
    let picture: PixelBuffer
    let stripes: [StripeEncoder.Stripe]
    let isOriginal: Bool
    let milliseconds: (render: Double, encode: Double)
  }

  /// Renders what a view shows; a look that cannot be shown is told once, and the one before it shown.
  private func picture(_ frame: Frame, _ look: Viewfinder.Look, _ view: StudioView, isOriginal: Bool) throws
    -> Picture
  {
    let began = Timestamp.now
    let input = try frame.planInput
    func plan(_ look: Viewfinder.Look) throws -> ViewfinderPlans.Shown {
      let key = ViewfinderPlans.Key(
        version: look.version, isOriginal: isOriginal, viewport: view.viewport,
        isUncropped: view.isUncropped, input: input)
      return try plans.plan(key, (look.recipe, look.zoom), view)
    }
    var shown: ViewfinderPlans.Shown
    do {
      shown = try plan(look)
      good = look
    } catch {
      tell(error, look.version)
      shown = try plan(good)
    }
    let picture = try shown.render(frame.buffer)
    let rendered = Timestamp.now
    // In one piece: to join several takes the page more time than they save, and live frames never pause.
    let stripes = try encoder.encode(picture, .moving, most: 1)
    return Picture(
      shown: shown, picture: picture, stripes: stripes, isOriginal: isOriginal,
      milliseconds: (1000 * rendered.seconds(since: began), 1000 * Timestamp.now.seconds(since: rendered)))
  }

  private func tell(_ error: any Error, _ version: Int) {
    guard failedVersion != version else { return }
    failedVersion = version
    events.failed(error, version)
  }

  private func send(
    _ pictures: [Picture], of frame: Frame, _ level: JSONValue, _ position: Double?, to page: ViewfinderPage
  ) {
    let wantsHistogram = state.update { $0.pages[page.peer.id]?.takesHistogram(at: frame.time) ?? false }
    // Before they are sent: they may be drawn before this thread goes on.
    let messages = pictures.map { picture in
      (
        numbers.next(), picture,
        picture.isOriginal || !wantsHistogram ? nil : StudioHistogram(picture.picture, .sRGB)
      )
    }
    let age = Timestamp.now.seconds(since: frame.time)
    state.update { $0.pages[page.peer.id]?.sent(frame.sequence, number: messages.last?.0 ?? 0, age: age) }
    for (number, picture, histogram) in messages {
      var header = picture.shown.header(for: page.view, stripes: picture.stripes)
      header["frame"] = .number(number)
      header["input"] = .number(page.input)
      header["kind"] = .string(picture.isOriginal ? "original" : "edited")
      header["sequence"] = .number(Double(frame.sequence))
      header["captured"] = .number(Self.rounded(Double(frame.time.nanoseconds) / 1e6))
      header["age"] = .number(Self.rounded(1000 * Timestamp.now.seconds(since: frame.time)))
      header["position"] = position.map { .number(Self.rounded($0)) } ?? .null
      header["level"] = level
      header["histogram"] = histogram?.json ?? .null
      header["times"] = .object([
        "wait": .number(0), "render": .number(Self.rounded(picture.milliseconds.render)),
        "encode": .number(Self.rounded(picture.milliseconds.encode)),
      ])
      page.peer.send("frame", header, payload: picture.stripes.map(\.bytes))
    }
  }

  private static func rounded(_ number: Double) -> Double { PlainNumber.rounded(number, 3) }
}

extension ViewfinderPlans.Shown {
  /// The part of a frame's header that tells what is shown, as for photos.
  fileprivate func header(for view: StudioView?, stripes: [StripeEncoder.Stripe]) -> [String: JSONValue] {
    [
      "photo": .string(CameraRequest.photo), "view": .number(view?.number ?? 0), "final": .bool(false),
      "uncropped": .bool(key.isUncropped), "full": .size(fullSize), "scaled": .size(placement.scaled),
      "window": .region(placement.window), "places": .places(places), "picture": .size(pool.size),
      "stripes": .stripes(stripes),
    ]
  }
}
