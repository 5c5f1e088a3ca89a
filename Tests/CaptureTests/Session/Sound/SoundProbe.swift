import FrameCore
import Synchronization

@testable import Capture

/// An output that notes what it is told.
final class SoundProbe: AudioCaptureOutput {
  struct State {
    var events: [String] = []
    var samples = 0
    /// The position after the newest sample of the present run.
    var position: Int64 = 0
    var hasGaps = false
    var newest: [Float] = []
  }
  let state = Monitor(State())

  var events: [String] { state.read { $0.events } }
  var hasGaps: Bool { state.read { $0.hasGaps } }

  func wait(for condition: (State) -> Bool) { state.wait { condition($0) ? true : nil } }

  func attach(to session: ObjectIdentifier) throws {}
  func detach(from session: ObjectIdentifier) {}
  func openSound(_ format: AudioFormat?) {
    state.update {
      $0.events.append("open " + (format.map { "\($0.sampleRate) \($0.channelCount)" } ?? "later"))
      $0.position = 0
    }
  }
  func accept(_ sound: AudioBuffer) {
    state.update {
      if sound.position != $0.position { $0.hasGaps = true }
      $0.position = sound.position + Int64(sound.frameCount)
      $0.samples += sound.frameCount
      $0.newest = sound.samples
    }
  }
  func closeSound() { state.update { $0.events.append("close") } }
}

/// An output of pictures and sound.
final class MovieProbe: CaptureOutput, AudioCaptureOutput {
  let sound = SoundProbe()
  let attachments = Monitor(0)

  var purpose: OutputPurpose { .data }
  var holdsFrames: Bool { false }
  func attach(to session: ObjectIdentifier) throws { attachments.update { $0 += 1 } }
  func detach(from session: ObjectIdentifier) { attachments.update { $0 -= 1 } }
  func open() {}
  func accept(_ frame: Frame) {}
  func sourceDropped(first: DroppedFrame, count: Int) {}
  func close() {}
  func waitForRoom(until deadline: Timestamp) -> Bool { true }
  func openSound(_ format: AudioFormat?) { sound.openSound(format) }
  func accept(_ buffer: AudioBuffer) { sound.accept(buffer) }
  func closeSound() { sound.closeSound() }
}
