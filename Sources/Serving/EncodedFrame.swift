import FrameCore
import WebServer

/// A JPEG as one part of a multipart stream.
///
/// The boundary of the next part is sent with this one: browsers show a part when it ends, not when the next
/// begins.
struct EncodedFrame: Sendable {
  private static let boundary = "frame"
  private static let boundaryLine = Array("\r\n--\(boundary)\r\n".utf8)
  /// The media type of the stream, and what precedes its first part.
  static let streamType = "multipart/x-mixed-replace; boundary=\(boundary)"
  static let streamStart = Array("--\(boundary)\r\n".utf8)

  /// The whole part: its header, the JPEG, and the boundary after it.
  let part: WebPart
  /// Where the JPEG is within the part.
  let jpeg: Range<Int>

  /// - Parameter part: one that nobody else refers to.
  init(_ jpeg: UnsafeRawBufferPointer, time: Timestamp, in part: WebPart) {
    let micros = String(time.nanoseconds / 1000 % 1_000_000)
    let seconds =
      "\(time.nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 6 - micros.utf8.count) + micros
    let head = Array(
      "Content-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\nX-Timestamp: \(seconds)\r\n\r\n".utf8)
    head.withUnsafeBytes { head in
      Self.boundaryLine.withUnsafeBytes { part.fill([head, jpeg, $0]) }
    }
    self.part = part
    self.jpeg = head.count..<head.count + jpeg.count
  }
}
