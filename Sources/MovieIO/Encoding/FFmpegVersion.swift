import CFFmpeg
import FrameCore

/// The versions of FFmpeg's libraries that this was built for, which name Debian's packages.
enum FFmpegVersion {
  static var codec: Int { Int(cffmpeg_codec_version()) }
  static var format: Int { Int(cffmpeg_format_version()) }

  /// The sentence for libraries that cannot be opened.
  static func missing(_ purpose: String, _ message: String) -> SafelightError {
    SafelightError(
      .missingLibrary, "Cannot \(purpose): FFmpeg's libraries cannot be loaded (\(message))",
      remedy: "install libavformat\(format), libavcodec\(codec) and libswscale, or the package ffmpeg")
  }

  /// Calls a function of the shim that explains itself in a buffer, and returns both.
  static func explaining<Result>(
    _ body: (UnsafeMutablePointer<CChar>?) throws -> Result
  ) rethrows -> (Result, String) {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CFFMPEG_MESSAGE_BYTES)) { buffer in
      buffer.initialize(repeating: 0)
      let result = try body(buffer.baseAddress)
      return (
        result, String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      )
    }
  }

  /// FFmpeg's text for an error.
  static func text(_ error: Int32) -> String { explaining { cffmpeg_error_text(error, $0) }.1 }
}
