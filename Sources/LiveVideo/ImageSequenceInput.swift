import Capture
import FrameCore
import PhotoIO
import Synchronization

/// Stills as the frames of a camera: a folder, a pattern such as `frames/*.jpg`, or a list.
///
/// Every picture is a frame of 8-bit RGBA with its own colour tags and orientation. All must have the stored size
/// of the first. A picture that cannot be read is dropped as corrupt, and `notes` lists which and why.
public final class ImageSequenceInput: CaptureInput {
  /// The pattern as given.
  public let pattern: String
  private let listed: [String]?
  public let framesPerSecond: Double
  /// Whether frames come at their rate, or slower if decoding is slower. Otherwise each is delivered as soon as it
  /// is requested.
  public let isPaced: Bool
  /// Whether the first picture follows the last. Times and sequence numbers continue.
  public let loops: Bool

  public var id: String { "images:" + pattern }
  public var name: String { pattern }
  public let facing = CameraFacing.external

  /// The accepted rates, in frames per second.
  public static let rates = 0.001...1000.0
  /// The maximum number of notes kept.
  private static let noteLimit = 100

  private let noted = Mutex<[String]>([])

  /// Which pictures could not be read and why, one sentence each; at most the first hundred.
  public var notes: [String] { noted.withLock { $0 } }

  /// - Parameters:
  ///   - pattern: a folder, a file, or a pattern of glob(7). Files are taken in natural order, `2` before `10`.
  ///     They are searched for when a stream is opened.
  ///   - framesPerSecond: within `rates`.
  /// - Throws: `SafelightError(.invalidValue)` if the rate is out of range.
  public convenience init(
    _ pattern: String, framesPerSecond: Double = 30, paced: Bool = true, loops: Bool = false
  ) throws {
    try self.init(pattern, listed: nil, framesPerSecond, paced, loops)
  }

  /// - Parameter paths: the paths of the pictures, in display order; at least one.
  public convenience init(
    paths: [String], framesPerSecond: Double = 30, paced: Bool = true, loops: Bool = false
  ) throws {
    guard let first = paths.first else {
      throw SafelightError(.invalidValue, "The list of pictures is empty", remedy: "name at least one")
    }
    try self.init(first, listed: paths, framesPerSecond, paced, loops)
  }

  private init(
    _ pattern: String, listed: [String]?, _ framesPerSecond: Double, _ paced: Bool, _ loops: Bool
  ) throws {
    guard Self.rates.contains(framesPerSecond) else {
      throw SafelightError(
        .invalidValue, "Pictures cannot be shown \(framesPerSecond) times a second",
        remedy: "give a rate from \(Self.rates.lowerBound) to \(Self.rates.upperBound)")
    }
    self.pattern = pattern
    self.listed = listed
    self.framesPerSecond = framesPerSecond
    isPaced = paced
    self.loops = loops
  }

  /// Finds the pictures and reads the header of the first that can be read.
  ///
  /// A rate in `request` is honoured; size and encoding are those of the pictures.
  ///
  /// - Throws: `CaptureFailure` if there is no picture or none can be read.
  public func openStream(_ request: StreamRequest) throws -> any FrameStream {
    do {
      let rate = request.framesPerSecond ?? framesPerSecond
      guard Self.rates.contains(rate) else {
        throw SafelightError(
          .invalidValue, "Pictures cannot be shown \(rate) times a second",
          remedy: "ask for a rate from \(Self.rates.lowerBound) to \(Self.rates.upperBound)")
      }
      let paths = try listed ?? ImageSequenceFiles.find(pattern)
      noted.withLock { $0 = [] }
      return try ImageSequenceStream(self, paths: paths, framesPerSecond: rate)
    } catch let error as SafelightError {
      throw CaptureFailure(
        error.code.isShortage || error.code == .tooLarge ? .inputOutput : .unsupported, error)
    }
  }

  /// Returns false: waiting does not bring back missing files.
  public func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool { false }

  func note(_ sentence: String) {
    noted.withLock { notes in
      if notes.count < Self.noteLimit, !notes.contains(sentence) { notes.append(sentence) }
    }
  }
}
