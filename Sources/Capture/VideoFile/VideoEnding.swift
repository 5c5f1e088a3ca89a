import CFFmpeg
import FrameCore
import Libc

/// How a video file ended, and whether that was its end.
struct VideoEnding {
  /// The errno of a read that the system refused; 0 where all went well.
  var readError: Int32 = 0
  /// Whether the file's structure led nowhere, before its end.
  var hasGivenUp = false
  /// Whether frames were looked for beyond the end of the file.
  var looksBeyondEnd = false
  /// Seconds of video that were read.
  var reached: Double
  /// Seconds of video that the header states; 0 where it does not.
  var stated: Double
  /// Seconds from one frame to the next.
  var interval: Double
  var extent: ContainerExtent

  /// Where nothing but a duration tells that something is missing, at least this part of the file and this
  /// many seconds must be missing: sound may last longer than the pictures, and the last picture may stand
  /// for long.
  private static let missingPart = 0.1
  private static let missingSeconds = 2.0

  /// Why this is not the end of the video; nil where it is.
  func problem(path: String) -> SafelightError? {
    if readError != 0 {
      return SafelightError(
        .file, "Cannot read \(path) beyond \(seconds(reached)): \(String(cString: strerror(readError)))",
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

  /// Whether frames are missing that the header promises.
  private var isShort: Bool { stated - reached > 1.5 * interval }

  private func seconds(_ value: Double) -> String { "\((value * 10).rounded() / 10) s" }
}

extension DecodedVideo {
  /// Why the file ended before its time; nil where it did not. To be asked where no more frames come.
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
