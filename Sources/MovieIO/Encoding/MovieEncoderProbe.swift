import FrameCore

/// Which encoders of video there are on this machine, found by opening each of them.
public struct MovieEncoderProbe: Sendable, Hashable {
  /// FFmpeg's name, such as `libx264`.
  public var name: String
  public var codec: VideoCodec
  public var isHardware: Bool
  /// Why it cannot be used, in a few words; nil if it opened.
  public var reason: String?

  public var isUsable: Bool { reason == nil }

  /// Opens every encoder for pictures of 640×480, which takes some milliseconds each, and closes it again.
  public static func all() -> [MovieEncoderProbe] {
    KnownEncoder.all.map { known in
      var settings = VideoEncoderSettings(
        codec: known.codec, size: PixelSize(width: 640, height: 480), pixelFormat: .i420,
        tags: ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited))
      settings.choice = .named(known.name)
      var reason: String?
      do {
        _ = try EncoderHandle(known, settings, size: settings.size, preset: settings.preset)
      } catch let refusal as EncoderHandle.Refusal {
        reason = refusal.reason
      } catch {
        reason = "\(error)"
      }
      return MovieEncoderProbe(
        name: known.name, codec: known.codec, isHardware: known.kind.isHardware, reason: reason)
    }
  }
}
