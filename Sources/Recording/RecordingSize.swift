import FrameCore
import MovieIO

/// How large the files of a run become with everything that the writer was given, so that a recording ends before a
/// limit rather than after it: what is in the queue, in unfinished fragments, and the index at the end count too.
struct RecordingSize {
  /// Bytes of a sample of all channels once it is compressed.
  var bytesPerSample = 0.0
  /// Bytes of complete files.
  private(set) var complete: Int64 = 0
  private var open: [Int: Double] = [:]

  /// The head of a file and the room in which its index begins.
  private static let head = 40_000.0
  /// What the index and the fragments say of a picture, and of a block of sound with about 1000 samples.
  private static let perPicture = 64.0
  private static let perSample = 0.032

  /// Bytes of all files.
  var total: Int64 { complete + Int64(open.values.reduce(0, +)) }

  /// Bytes by which one more picture enlarges the files.
  static func bytes(of picture: [UInt8], beginsFile: Bool) -> Int64 {
    Int64(Double(picture.count) + perPicture + (beginsFile ? head : 0))
  }

  /// Bytes of samples per channel that are still to come.
  func bytes(ofSamples count: Int64) -> Int64 { Int64(Double(count) * (bytesPerSample + Self.perSample)) }

  mutating func add(_ order: WriterOrder, channels: Int) {
    switch order {
    case .open(let file, _): open[file] = Self.head
    case .picture(let file, let picture, _, _):
      open[file, default: 0] += Double(picture.bytes.count) + Self.perPicture
    case .sound(let file, let samples, _):
      open[file, default: 0] += Double(bytes(ofSamples: Int64(samples.count / max(1, channels))))
    case .close, .ended: break
    }
  }

  /// Adds compressed sound that is copied from another file.
  mutating func add(copied bytes: Int, to file: Int) { open[file, default: 0] += Double(bytes) * 1.1 }

  /// A file is complete and this large.
  mutating func complete(_ file: Int, bytes: Int64) {
    open[file] = nil
    complete += bytes
  }
}
