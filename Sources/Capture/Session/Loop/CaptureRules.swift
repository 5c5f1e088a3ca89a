import FrameCore

/// How patient a capture thread is with its source, and how it names what it waits for.
struct CaptureRules: Sendable {
  /// The pauses, in nanoseconds, between attempts to reopen a source that fails at once, doubling from first
  /// to last.
  let pauses: ClosedRange<Int64>
  /// Whether a source that was open before is tried again when it no longer offers the format that it had.
  let retriesUnsupported: Bool
  private let noun: String
  private let resumption: String
  private let stallRemedy: String

  static let frames = CaptureRules(
    pauses: 100_000_000...2_000_000_000, retriesUnsupported: false, noun: "frame",
    resumption: "frames continue by themselves",
    stallRemedy: "it is opened again; if it stalls often, try another cable or port, or a lower size or rate")

  /// Pauses are short, since sound must be heard within a second of a microphone's return. Another format
  /// cannot continue a recording, so the former one is waited for.
  static let sound = CaptureRules(
    pauses: 50_000_000...400_000_000, retriesUnsupported: true, noun: "sound",
    resumption: "sound continues by itself",
    stallRemedy: "it is opened again; if it stalls often, try another cable or port")

  // MARK: Failures that the session itself detects

  func stall(of source: String, nanoseconds: Int64) -> CaptureFailure {
    CaptureFailure(
      .stalled,
      SafelightError(
        .device, "No \(noun) came from \(source) for \(nanoseconds / 1_000_000) ms", remedy: stallRemedy))
  }

  func sleep(seconds: Double) -> CaptureFailure {
    CaptureFailure(
      .suspended,
      SafelightError(
        .device, "The system slept for \(Int(seconds.rounded())) s", remedy: resumption))
  }
}
