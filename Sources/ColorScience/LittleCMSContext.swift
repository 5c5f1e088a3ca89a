import CLittleCMS
import FrameCore
import Synchronization

/// A LittleCMS context of its own, so that nothing global is touched and messages stay with the call that caused
/// them. LittleCMS's objects must be freed before their context.
final class LittleCMSContext: Sendable {
  /// The context; LittleCMS locks what it shares among threads.
  nonisolated(unsafe) let raw: cmsContext
  private let log = MessageLog()

  /// The last thing LittleCMS complained about.
  private final class MessageLog: Sendable {
    let last = Mutex<String?>(nil)
  }

  init() throws {
    // The log outlives the context: both belong to this object, and deinit frees the context first.
    guard let context = cmsCreateContext(nil, Unmanaged.passUnretained(log).toOpaque()) else {
      throw SafelightError(
        .tooLarge, "Not enough memory for colour management", remedy: "close other programs")
    }
    raw = context
    cmsSetLogErrorHandlerTHR(context) { context, _, text in
      guard let text, let log = cmsGetContextUserData(context) else { return }
      let message = String(cString: text)
      Unmanaged<MessageLog>.fromOpaque(log).takeUnretainedValue().last.withLock { $0 = message }
    }
  }

  deinit { cmsDeleteContext(raw) }

  /// LittleCMS's last message in brackets, to be put behind a sentence; empty where there is none.
  var lastMessage: String {
    log.last.withLock { $0 }.map { " (\($0))" } ?? ""
  }

  /// Runs `body` with the opened profile, and closes it.
  ///
  /// - Throws: `SafelightError` (`corruptData`) where the bytes are no ICC profile.
  func withProfile<Result>(_ data: ICCProfileData, _ body: (cmsHPROFILE) throws -> Result) throws -> Result {
    // ICC.1:2022, 7.2: a header of 128 bytes and a count of tags; the signature stands at byte 36.
    guard data.bytes.count >= 132, Array(data.bytes[36..<40]) == Array("acsp".utf8),
      let size = UInt32(exactly: data.bytes.count)
    else {
      throw SafelightError(
        .corruptData, "The \(data.bytes.count) bytes given as ICC profile are none",
        remedy: "strip or replace the picture's profile")
    }
    guard let profile = data.bytes.withUnsafeBytes({ cmsOpenProfileFromMemTHR(raw, $0.baseAddress, size) })
    else {
      throw SafelightError(
        .corruptData, "The ICC profile is damaged\(lastMessage)",
        remedy: "strip or replace the picture's profile")
    }
    defer { cmsCloseProfile(profile) }
    return try body(profile)
  }
}
