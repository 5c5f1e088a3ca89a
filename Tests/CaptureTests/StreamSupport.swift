import Capture
import FrameCore

/// What a stream reports until its end, at most `limit` events.
func events(_ stream: any FrameStream, limit: Int = 1000) throws -> [StreamEvent] {
  var events: [StreamEvent] = []
  while events.count < limit {
    let event = try stream.next(until: Timestamp.now.advanced(bySeconds: 60))
    if case .finished = event { break }
    events.append(event)
  }
  return events
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

/// The message of what `body` throws, or nil.
func message(of body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
