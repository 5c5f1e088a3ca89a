import Capture
import FrameCore
import Synchronization

/// An output that holds on to what the camera sent as the first three frames: JPEGs or mosaics, in the driver's memory.
final class EncodedPictureKeeper: CaptureOutput {
  private let state = Mutex<(kept: [EncodedPicture], count: Int)>(([], 0))

  var kept: [EncodedPicture] { state.withLock { $0.kept } }
  /// Copies of their bytes as they are now.
  var bytes: [[UInt8]] { kept.map { Array($0.bytes) } }
  /// All frames so far.
  var count: Int { state.withLock { $0.count } }

  var purpose: OutputPurpose { .data }
  var takesEncodedPictures: Bool { true }
  var holdsFrames: Bool { false }
  func attach(to session: ObjectIdentifier) throws {}
  func detach(from session: ObjectIdentifier) {}
  func open() {}
  func close() {}
  func sourceDropped(first: DroppedFrame, count: Int) {}
  func waitForRoom(until deadline: Timestamp) -> Bool { true }

  func accept(_ frame: Frame) {
    state.withLock { state in
      state.count += 1
      guard state.kept.count < 3, let picture = frame.encoded ?? frame.mosaic?.samples else { return }
      state.kept.append(picture)
    }
  }
}
