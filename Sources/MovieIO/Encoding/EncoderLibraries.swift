import CFFmpeg

/// FFmpeg's libraries for writing.
public enum EncoderLibraries {
  /// Loads the libraries, with the hundred others that they need, so that the first encoder opens sooner. If they are
  /// missing nothing happens: the encoder says so.
  public static func load() { _ = FFmpegVersion.explaining { cffmpeg_start_encoding($0) } }
}
