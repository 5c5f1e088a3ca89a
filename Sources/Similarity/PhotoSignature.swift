import Editing
import FrameAnalysis
import FrameCore
import PhotoIO

/// What photos are compared by: all that is kept of one, in 350 bytes.
public struct PhotoSignature: Sendable, Hashable {
  /// Nil for photos of fewer than 5 columns or rows.
  public var hash: PerceptualHash?
  /// 0…100; the hashes of photos below `PerceptualHash.leastDetail` say nothing.
  public var detail: Int
  /// A picture of 16 × 16 samples of luma, as displayed.
  var small: SmallPicture
  /// The size in pixels, as displayed.
  public var size: PixelSize
  /// When it was taken by the camera's clock, in microseconds since the year 1; nil if the photo does not say.
  public var taken: Int64?
  /// Whether the camera tells fractions of seconds.
  var hasSubSeconds = false
  /// The camera that took it, and the burst that it says it belongs to; empty if it says nothing.
  public var camera = "", burst = ""

  /// Whether its hash may be compared with others.
  var isComparable: Bool { hash != nil && detail >= PerceptualHash.leastDetail }

  var moment: Moment? { taken.map { Moment(time: $0, hasSubSeconds: hasSubSeconds) } }

  init(hash: PerceptualHash?, detail: Int, small: SmallPicture, size: PixelSize) {
    (self.hash, self.detail, self.small, self.size) = (hash, detail, small, size)
  }

  /// Reads a photo.
  ///
  /// - Throws: `SafelightError` if it cannot be read.
  public init(contentsOf path: String) throws { self.init(try PhotoSample(contentsOf: path)) }

  init(_ sample: PhotoSample) {
    let hasher = PerceptualHasher()
    let result = hasher.hash(sample.proxy)
    let small = result.map { _ in SmallPicture(hasher.reduced(to: SmallPicture.edge)) }
    self.init(hash: result?.hash, detail: result?.detail ?? 0, small: small ?? .empty, size: sample.size)
    let facts = sample.metadata.captureFacts
    taken = facts.date.map(Self.microseconds)
    hasSubSeconds = facts.date?.nanosecond != nil
    camera = [facts.make, facts.camera, facts.serialNumber].compactMap(\.self).joined(separator: " ")
    burst = facts.burst?.id ?? ""
  }

  /// Counts days by the proleptic Gregorian calendar. Time zones are left out: photos of a burst share theirs.
  static func microseconds(_ date: CaptureFacts.Date) -> Int64 {
    // Years begin in March, so that the leap day is their last.
    let year = date.month > 2 ? date.year : date.year - 1
    let days =
      365 * year + year / 4 - year / 100 + year / 400 + (153 * ((date.month + 9) % 12) + 2) / 5 + date.day - 1
    let seconds = 86400 * days + 3600 * date.hour + 60 * date.minute + date.second
    return Int64(seconds) * 1_000_000 + Int64(date.nanosecond ?? 0) / 1000
  }
}

/// A picture of 16 × 16 samples of luma.
struct SmallPicture: Sendable, Hashable {
  static let edge = 16
  static let empty = SmallPicture(samples: [UInt8](repeating: 0, count: edge * edge))
  /// Row by row.
  var samples: [UInt8]

  /// - Parameter luma: as many samples, 0…1.
  init(_ luma: [Float]) { samples = luma.map { UInt8(max(0, min($0, 1)) * 255 + 0.5) } }

  /// - Parameter samples: 256 of them.
  init(samples: [UInt8]) { self.samples = samples }

  /// How alike two pictures are but for their brightness and contrast: the correlation of their samples, −1…1; 0 if one
  /// is of one colour.
  func likeness(to other: SmallPicture) -> Double {
    let count = Double(samples.count)
    var (a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (first, second) in zip(samples, other.samples) {
      let (x, y) = (Double(first), Double(second))
      (a, b, aa, bb, ab) = (a + x, b + y, aa + x * x, bb + y * y, ab + x * y)
    }
    let (first, second) = (aa - a * a / count, bb - b * b / count)
    return first > 0 && second > 0 ? (ab - a * b / count) / (first * second).squareRoot() : 0
  }
}
