import CLittleCMS
import FrameCore
import Synchronization

/// A separate LittleCMS context, so that nothing global is changed and messages stay with the call that caused
/// them. LittleCMS's objects must be freed before their context.
final class LittleCMSContext: Sendable {
  /// The context; LittleCMS locks what threads share.
  nonisolated(unsafe) let raw: cmsContext
  private let log = MessageLog()

  /// Keeps LittleCMS's last error message.
  private final class MessageLog: Sendable {
    let last = Mutex<String?>(nil)
  }

  init() throws {
    // The log outlives the context: both belong to this object, and deinit frees the context first.
    guard let context = cmsCreateContext(nil, Unmanaged.passUnretained(log).toOpaque()) else {
      throw SafelightError(
        .noMemory, "Not enough memory for colour management", remedy: "close other programs")
    }
    raw = context
    cmsSetLogErrorHandlerTHR(context) { context, _, text in
      guard let text, let log = cmsGetContextUserData(context) else { return }
      let message = String(cString: text)
      Unmanaged<MessageLog>.fromOpaque(log).takeUnretainedValue().last.withLock { $0 = message }
    }
  }

  deinit { cmsDeleteContext(raw) }

  /// LittleCMS's last message in parentheses, to append to a sentence; empty if there is none.
  var lastMessage: String {
    log.last.withLock { $0 }.map { " (\($0))" } ?? ""
  }

  /// Calls `body` with the opened profile, and closes it.
  ///
  /// - Throws: `SafelightError` (`corruptData`) if the bytes are not an ICC profile.
  func withProfile<Result>(_ data: ICCProfileData, _ body: (cmsHPROFILE) throws -> Result) throws -> Result {
    // ICC.1:2022, 7.2: a header of 128 bytes and a tag count; the signature is at byte 36.
    guard data.bytes.count >= 132, Array(data.bytes[36..<40]) == Array("acsp".utf8),
      let size = UInt32(exactly: data.bytes.count)
    else {
      throw SafelightError(
        .corruptData, "The \(data.bytes.count) bytes given as an ICC profile are not one",
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
