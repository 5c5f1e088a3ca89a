import Capture
import FrameCore
import Synchronization

/// An output that holds on to the first three frames' mosaics, which are the driver's memory.
final class MosaicKeeper: CaptureOutput {
  private let state = Mutex<(kept: [BayerMosaic], count: Int)>(([], 0))

  var kept: [BayerMosaic] { state.withLock { $0.kept } }
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
      if state.kept.count < 3, let mosaic = frame.mosaic { state.kept.append(mosaic) }
    }
  }
}
