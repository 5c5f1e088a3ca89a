import Safelight

extension LiveSource {
  var isVideo: Bool {
    if case .video = self { true } else { false }
  }

  var videoPath: String? {
    if case .video(let path) = self { path } else { nil }
  }
}
