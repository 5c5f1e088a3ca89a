import ArgumentParser
import Safelight

// Options that have no effect are refused.
extension LiveRun {
  /// Rejects options that have no effect on this source.
  static func check(_ command: LiveCommand, _ source: LiveSource) throws {
    guard !command.unpaced || source.isFile || source.isSynthetic else {
      throw ValidationError(
        "--unpaced has no effect on a camera, which has a rate of its own",
        remedy: "leave it out, or use a file or --source synthetic")
    }
    guard !command.unpaced || command.second.source == nil else {
      throw ValidationError(
        "--unpaced has no effect with --and, because two sources are paired by their time",
        remedy: "leave it out")
    }
    guard command.input.fps == nil || !source.isVideo || command.writesToStandardOutput else {
      throw ValidationError(
        "--fps has no effect on a video file that goes to neither stdout:y4m nor stdout:rgb",
        remedy: "leave it out, or add one of these targets")
    }
  }

  /// Rejects actions that need pictures in real time.
  static func checkActions(_ command: LiveCommand, isPaced: Bool) throws {
    for action in [LiveSightOptions.Action.capture, .record] where command.sight.has(action) && !isPaced {
      throw ValidationError(
        "--on EVENT \(action == .capture ? "capture" : "record") has no effect on pictures that do not come in real time",
        remedy: "leave it out, or add a target that is watched live, such as preview or stream:PORT")
    }
  }

  /// Rejects options of sound that have no effect.
  ///
  /// - Parameter isPaced: whether pictures come in real time.
  static func checkSound(_ command: LiveCommand, _ source: LiveSource, isPaced: Bool) throws {
    let microphone = command.microphone.microphone ?? "none"
    guard microphone == "none" || isPaced else {
      throw ValidationError(
        "--microphone \(microphone) has no effect on pictures that do not come in real time",
        remedy: "leave it out; a video file keeps its own sound")
    }
    guard microphone == "none" else { return }
    let ofSound = command.keepsSound(of: source) ? [] : command.movie.givenForSound
    guard let idle = (command.microphone.idleWithoutMicrophone + ofSound).first else { return }
    throw ValidationError(
      "\(idle) has no effect without --microphone",
      remedy: "give both or neither")
  }
}
