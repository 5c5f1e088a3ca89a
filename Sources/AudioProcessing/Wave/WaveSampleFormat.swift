/// How samples are stored in a WAV file.
public enum WaveSampleFormat: String, Sendable, Hashable, Codable, CaseIterable {
  case int16
  case int24
  case float32

  public var bitsPerSample: Int {
    switch self {
    case .int16: 16
    case .int24: 24
    case .float32: 32
    }
  }
}
