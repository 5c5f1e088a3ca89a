import Capture
import FrameCore

/// What a stream reports until its end, at most `limit` events. Frames are held, and with them their buffers.
func heldEvents(_ stream: any FrameStream, limit: Int = 1000) throws -> [StreamEvent] {
  var events: [StreamEvent] = []
  while events.count < limit {
    let event = try stream.next(until: Timestamp.now.advanced(bySeconds: 60))
    if case .finished = event { break }
    events.append(event)
  }
  return events
}

/// A frame whose buffer went back to its stream.
struct FrameRecord {
  let size: PixelSize
  let format: PixelFormat
  let bytes: [UInt8]
  let time: Timestamp
  let sequence: UInt64
  let orientation: Orientation

  init(_ frame: Frame) {
    size = frame.buffer.size
    format = frame.buffer.format
    bytes = tightBytes(frame.buffer)
    time = frame.time
    sequence = frame.sequence
    orientation = frame.orientation
  }
}

/// What a stream reported, with nothing held.
struct StreamRecord {
  var frames: [FrameRecord] = []
  var drops: [(first: DroppedFrame, count: Int)] = []
  var hasFinished = false
  /// The error that ended it.
  var failure: CaptureFailure?

  /// Follows a stream to its end, or for `limit` events.
  init(_ stream: any FrameStream, limit: Int = 1000) {
    do {
      while frames.count + drops.count < limit {
        switch try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) {
        case .frame(let frame): frames.append(FrameRecord(frame))
        case .dropped(let first, let count): drops.append((first, count))
        case .idle: break
        case .finished:
          hasFinished = true
          return
        }
      }
    } catch {
      failure = error as? CaptureFailure
    }
  }
}

extension StreamEvent {
  var frame: Frame? {
    if case .frame(let frame) = self { frame } else { nil }
  }
  var drop: (first: DroppedFrame, count: Int)? {
    if case .dropped(let first, let count) = self { (first, count) } else { nil }
  }
}

/// All samples of a picture, plane after plane, rows without padding.
func tightBytes(_ buffer: PixelBuffer) -> [UInt8] {
  withExtendedLifetime(buffer) {
    zip(buffer.planes, buffer.format.planes).flatMap { plane, shape in
      (0..<plane.rows).flatMap { y in
        UnsafeRawBufferPointer(start: plane.row(y), count: shape.rowBytes(width: buffer.width))
      }
    }
  }
}
