import FrameCore

extension VideoDataOutput {
  /// The captured frames, for `for await`. The loop's body is the consumer: frames that arrive while it runs are
  /// late, and the next one is delivered when the loop asks for it.
  public var frames: Frames { Frames(output: self) }

  /// An output's frames as a sequence; iterating takes over the output from its former consumer.
  public struct Frames: AsyncSequence, Sendable {
    public typealias Element = Frame
    public typealias Failure = Never

    let output: VideoDataOutput

    public func makeAsyncIterator() -> Iterator { Iterator(output: output, number: output.beginSequence()) }

    /// Waits for one frame after the other.
    public struct Iterator: AsyncIteratorProtocol {
      let output: VideoDataOutput
      let number: Int

      public mutating func next() async -> Frame? { await output.next(in: number) }

      public mutating func next(isolation actor: isolated (any Actor)?) async -> Frame? {
        await output.next(in: number)
      }
    }
  }

  private func beginSequence() -> Int {
    let number = monitor.update { state in
      state.sequences += 1
      return state.sequences
    }
    _ = takeOver(.sequence(number), asking: false)
    return number
  }

  private func next(in number: Int) async -> Frame? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = monitor.update { state -> LateFrameQueue<Frame>.Answer in
          guard state.consumer.isSame(as: .sequence(number)), !Task.isCancelled else { return .finished }
          let answer = state.queue.ready()
          if case .wait = answer { state.continuation = continuation }
          return answer
        }
        switch answer {
        case .deliver(let frame): continuation.resume(returning: frame)
        case .finished: continuation.resume(returning: nil)
        case .wait: break
        }
      }
    } onCancel: {
      let continuation = monitor.update { state -> CheckedContinuation<Frame?, Never>? in
        guard state.consumer.isSame(as: .sequence(number)) else { return nil }
        state.queue.pause()
        return state.continuation.take()
      }
      continuation?.resume(returning: nil)
    }
  }
}
