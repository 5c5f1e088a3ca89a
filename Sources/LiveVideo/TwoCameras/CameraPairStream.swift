import Capture
import FilterGraph
import Filters
import FrameCore
import Rendering
import Synchronization

/// A run of two cameras: a session and a pipeline for each, whose pictures meet here.
final class CameraPairStream: FrameStream {
  private struct State {
    var pairing = FramePairing<RenderedFrame>()
    var isWoken = false
    /// Why the first camera gives no more pictures.
    var end: LivePipeline.End?
  }

  let format: StreamFormat
  /// Silence is told by the first camera's own session.
  var mayStall: Bool { false }

  private let state = Monitor(State())
  private let compositor: PairCompositor
  private let ring: BufferRing
  private let cameras: [RunningCamera]
  /// The number of the last picture of the first camera, to see what it lost.
  private var lastSequence: UInt64?
  private var sequence: UInt64 = 0
  private var missed: DroppedFrame?
  private var missedCount = 0

  /// Buffers for those who hold composed pictures.
  private static let bufferCount = 8
  private static let patience = 5.0

  init(_ input: CameraPairInput, _ request: StreamRequest) throws {
    let state = state
    let first = try RunningCamera(
      input.first, request: request, renderer: input.makeRenderer(),
      take: { frame in state.update { $0.pairing.addFirst(frame, at: frame.time, now: .now) } },
      whenEnded: { end in state.update { $0.end = end } })
    do {
      let size = try first.awaitSize(seconds: Self.patience)
      let box = input.layout.boxForSecond(first: size)
      var camera = input.second
      camera.look.recipe = camera.look.recipe.then(Recipe(filters: [Resize(.within(box))]))
      let second = try RunningCamera(
        camera, request: camera.request, renderer: input.makeRenderer(),
        take: { frame in state.update { $0.pairing.addSecond(frame, at: frame.time) } }, whenEnded: { _ in })
      cameras = [first, second]
      do {
        compositor = PairCompositor(
          input.layout, first: size, second: try second.awaitSize(seconds: Self.patience))
        ring = try BufferRing(count: Self.bufferCount, size: compositor.size, format: .rgba8)
      } catch {
        second.close()
        throw error
      }
    } catch {
      first.close()
      throw error
    }
    format = StreamFormat(
      size: compositor.size, encoding: .raw(.rgba8), pixelFormat: .rgba8, tags: .sRGB,
      framesPerSecond: first.framesPerSecond)
  }

  func wake() { state.update { $0.isWoken = true } }

  func close() { for camera in cameras { camera.close() } }

  func next(until deadline: Timestamp) throws -> StreamEvent {
    if let missed {
      defer { self.missed = nil }
      return .dropped(first: missed, count: missedCount)
    }
    guard let pair = try awaitPair(until: deadline) else {
      return hasFinished ? .finished : .idle
    }
    guard let buffer = ring.take() else {
      defer { sequence += 1 }
      return .dropped(
        first: DroppedFrame(sequence: sequence, time: pair.time, reason: .outOfBuffers), count: 1)
    }
    compositor.compose(pair.first.picture, pair.second?.picture, into: buffer)
    let frame = Frame(buffer: buffer, time: pair.time, sequence: advance(to: pair))
    return .frame(frame)
  }

  /// Counts the pictures that the first camera lost since the last pair.
  private func advance(to pair: FramePairing<RenderedFrame>.Pair) -> UInt64 {
    let own = pair.first.sequence
    if let last = lastSequence, own > last + 1 {
      missedCount = Int(own - last - 1)
      missed = DroppedFrame(sequence: sequence + 1, time: pair.time, reason: .late)
    }
    lastSequence = own
    defer { sequence += 1 + UInt64(missed == nil ? 0 : missedCount) }
    return sequence
  }

  private func awaitPair(until deadline: Timestamp) throws -> FramePairing<RenderedFrame>.Pair? {
    while true {
      let limit = state.read { $0.pairing.due }.map { min($0, deadline) } ?? deadline
      let found = state.wait(until: limit) { state -> FramePairing<RenderedFrame>.Pair?? in
        if let pair = state.pairing.next(now: .now, isEnding: state.end != nil) { return .some(pair) }
        if state.isWoken || state.end != nil {
          state.isWoken = false
          return .some(nil)
        }
        // A picture has come whose own time limit is earlier.
        if let due = state.pairing.due, due < limit { return .some(nil) }
        return nil
      }
      if let pair = found ?? nil { return pair }
      if let end = state.read({ $0.end }) {
        if hasFinished { return nil }
        throw Self.failure(end)
      }
      guard found != nil, Timestamp.now < deadline, state.read({ $0.pairing.due }) != nil else {
        return nil
      }
    }
  }

  /// Whether the first camera was a file that is at its end.
  private var hasFinished: Bool {
    if case .sourceFinished? = state.read({ $0.end }) { true } else { false }
  }

  private static func failure(_ end: LivePipeline.End) -> CaptureFailure {
    switch end {
    case .failed(let error as CaptureFailure): error
    case .failed(let error as SafelightError): CaptureFailure(.inputOutput, error)
    default:
      CaptureFailure(.disconnected, SafelightError(.device, "The first camera gives no more pictures"))
    }
  }
}
