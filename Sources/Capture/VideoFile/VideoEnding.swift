import CFFmpeg
import FrameCore
import Libc

/// How a video file ended, and whether that was its actual end.
struct VideoEnding {
  /// The errno of a failed read; 0 if there was none.
  var readError: Int32 = 0
  /// Whether the file's structure could not be followed to its end.
  var hasGivenUp = false
  /// Whether the demuxer tried to read beyond the end of the file.
  var looksBeyondEnd = false
  /// Seconds of video read.
  var reached: Double
  /// Seconds of video stated by the header; 0 if not stated.
  var stated: Double
  /// Seconds between frames.
  var interval: Double
  var extent: ContainerExtent

  /// If only the stated duration suggests that something is missing, at least this fraction of the file and this
  /// many seconds must be missing: sound may last longer than the pictures, and the last picture may be shown for
  /// long.
  private static let missingPart = 0.1
  private static let missingSeconds = 2.0

  /// Returns why this is not the end of the video; nil if it is.
  func problem(path: String) -> SafelightError? {
    if readError != 0 {
      return SafelightError(
        .file, "Cannot read \(path) beyond \(seconds(reached)): \(errorText(readError))",
        remedy: "check the disk and copy the file again (the frames before that were delivered)")
    }
    if isCutOff {
      let isKnown = isShort && extent != .cutInFrames(statesDuration: false)
      let whole = isKnown && seconds(stated) != seconds(reached) ? " of \(seconds(stated))" : ""
      return SafelightError(
        .corruptData, "The video \(path) is cut off after \(seconds(reached))\(whole)",
        remedy: "copy it again from its source (the frames before the cut were delivered)")
    }
    if hasGivenUp, isShort || stated == 0 {
      return SafelightError(
        .corruptData, "The video \(path) is damaged and cannot be read beyond \(seconds(reached))",
        remedy: "copy it again from its source (the frames before that were delivered)")
    }
    return nil
  }

  private var isCutOff: Bool {
    switch extent {
    case .whole: false
    case .cutInFrames: true
    case .cut: looksBeyondEnd || isShort || stated == 0
    case .doubtful: isMuchShort || looksBeyondEnd && (isShort || stated == 0)
    case .unknown: isMuchShort
    }
  }

  /// Whether so much is missing that nothing else explains it.
  private var isMuchShort: Bool {
    stated - reached > max(Self.missingSeconds, Self.missingPart * stated)
  }

  /// Whether frames promised by the header are missing.
  private var isShort: Bool { stated - reached > 1.5 * interval }

  private func seconds(_ value: Double) -> String { "\((value * 10).rounded() / 10) s" }
}

extension DecodedVideo {
  /// Returns why the file ended prematurely; nil if it did not. Call it when no more frames come.
  func endProblem() -> SafelightError? {
    let ending = ending
    return VideoEnding(
      readError: ending.read_error, hasGivenUp: ending.has_given_up,
      looksBeyondEnd: ending.looks_beyond_end,
      reached: ending.reached, stated: ending.stated, interval: info.rate > 0 ? 1 / info.rate : 0.04,
      extent: ContainerExtent(descriptor: descriptor)
    ).problem(path: path)
  }
}
