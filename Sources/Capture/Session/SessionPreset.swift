import FrameCore

/// The format that a session requests from its source, by purpose or by size.
public enum SessionPreset: String, Sendable, Hashable, Codable, CaseIterable {
  /// The source chooses.
  case inputPriority
  /// Small: for analysis or slow connections.
  case low
  /// For sharing over a network.
  case medium
  /// For video to be watched.
  case high
  /// Exactly 1280×720.
  case hd720
  /// Exactly 1920×1080.
  case hd1080
  /// Exactly 3840×2160 (2160p).
  case hd2160
  /// As many pixels as common cameras have, at any rate.
  case photo

  /// The formats to request, best first; each is tried if the source cannot deliver the one before. The last
  /// request of a preset by purpose leaves everything to the source.
  package var requests: [StreamRequest] {
    func sizes(_ list: [(Int, Int)], rate: Double? = nil) -> [StreamRequest] {
      list.map {
        StreamRequest(size: PixelSize(width: $0.0, height: $0.1), framesPerSecond: rate)
      }
    }
    let any = [StreamRequest()]
    return switch self {
    case .inputPriority: any
    case .low: sizes([(320, 240), (352, 288), (320, 180), (640, 480)]) + any
    case .medium: sizes([(640, 480), (640, 360), (800, 600)]) + any
    case .high: sizes([(1920, 1080), (1280, 720)], rate: 30) + sizes([(1280, 720), (640, 480)]) + any
    case .hd720: sizes([(1280, 720)])
    case .hd1080: sizes([(1920, 1080)])
    case .hd2160: sizes([(3840, 2160)])
    case .photo: sizes([(3840, 2160), (2592, 1944), (1920, 1080), (1280, 720)]) + any
    }
  }
}
