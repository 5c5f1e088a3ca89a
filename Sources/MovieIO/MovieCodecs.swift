/// How the pictures of a movie are compressed.
public enum VideoCodec: String, Sendable, Hashable, Codable, CaseIterable {
  case h264
  case hevc
  case av1
  case prores
  case ffv1
}

/// How the sound of a movie is compressed.
public enum AudioCodec: String, Sendable, Hashable, Codable, CaseIterable {
  case aac
  case opus
  case flac
  case pcm
}

/// The kind of file, which its extension decides.
public enum MovieContainer: String, Sendable, Hashable, Codable, CaseIterable {
  case mp4
  case mov
  /// Matroska.
  case mkv
}
