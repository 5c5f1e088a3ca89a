import Dispatch
import FrameCore

extension AudioDataOutput {
  /// The captured sound, for `for await`.
  public var buffers: Buffers { Buffers(output: self) }

  /// An output's sound as a sequence; iterating takes over the output from its former consumer.
  public struct Buffers: AsyncSequence, Sendable {
    public typealias Element = AudioBuffer
    public typealias Failure = Never

    let output: AudioDataOutput

    public func makeAsyncIterator() -> Iterator { Iterator(output: output, number: output.beginSequence()) }

    /// Waits for one buffer after the other.
    public struct Iterator: AsyncIteratorProtocol {
      let output: AudioDataOutput
      let number: Int

      public mutating func next() async -> AudioBuffer? { await output.next(in: number) }

      public mutating func next(isolation actor: isolated (any Actor)?) async -> AudioBuffer? {
        await output.next(in: number)
      }
    }
  }

  private func beginSequence() -> Int {
    let number = monitor.update { state in
      state.sequences += 1
      return state.sequences
    }
    takeOver(.sequence(number))
    return number
  }

  private func next(in number: Int) async -> AudioBuffer? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = monitor.update { state -> AudioBuffer?? in
          guard state.consumer.isSame(as: .sequence(number)), !Task.isCancelled else { return .some(nil) }
          if let buffer = state.queue.popFirst() { return buffer }
          guard !state.queue.isClosed else { return .some(nil) }
          state.continuation = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let continuation = monitor.update { state -> CheckedContinuation<AudioBuffer?, Never>? in
        state.consumer.isSame(as: .sequence(number)) ? state.continuation.take() : nil
      }
      continuation?.resume(returning: nil)
    }
  }

  // MARK: A delegate

  /// The user's closure and its queue.
  final class Delegate: Sendable {
    let queue: DispatchQueue
    let didOutput: @Sendable (AudioBuffer) -> Void

    init(queue: DispatchQueue, didOutput: @escaping @Sendable (AudioBuffer) -> Void) {
      self.queue = queue
      self.didOutput = didOutput
    }
  }

  /// Calls `didOutput` for each buffer on `queue`, one call at a time, in order. Takes over the output from
  /// its former consumer.
  public func setDelegate(queue: DispatchQueue, didOutput: @escaping @Sendable (AudioBuffer) -> Void) {
    takeOver(.delegate(Delegate(queue: queue, didOutput: didOutput)))
    if monitor.update({ $0.startsPump() }) { schedulePump() }
  }

  /// Ends the delegate's calls, without waiting for a running one.
  public func removeDelegate() {
    if case .delegate = monitor.read({ $0.consumer }) { takeOver(.nobody) }
  }

  func schedulePump() {
    let delegate = monitor.update { state -> Delegate? in
      if case .delegate(let delegate) = state.consumer { return delegate }
      state.isPumping = false
      return nil
    }
    guard let delegate else { return }
    delegate.queue.async { [self] in pump(delegate) }
  }

  /// Makes one call, then reschedules itself, so that the queue's other work gets its turn.
  private func pump(_ delegate: Delegate) {
    let buffer = monitor.update { state in
      // Another delegate may have taken over meanwhile; its own queue does the work.
      state.consumer.isSame(as: .delegate(delegate)) ? state.queue.popFirst() : nil
    }
    if let buffer { delegate.didOutput(buffer) }
    let goesOn = monitor.update { state in
      state.isPumping = false
      return state.startsPump()
    }
    if goesOn { schedulePump() }
  }
}

extension AudioDataOutput.State {
  /// Returns whether a call of the delegate must be scheduled, and notes that it is.
  mutating func startsPump() -> Bool {
    guard case .delegate = consumer, !isPumping, !queue.isEmpty else { return false }
    isPumping = true
    return true
  }
}
