import Libc

extension KnownEncoder.Kind {
  /// Why a hardware encoder cannot open, if what it needs is not even there; FFmpeg's own messages do not
  /// say.
  var missingHardware: String? {
    switch self {
    case .x264, .x265, .svtAV1, .aomAV1, .proRes, .ffv1: nil
    case .nvenc:
      Self.opens("libnvidia-encode.so.1")
        ? nil : "NVIDIA's driver has no libnvidia-encode.so.1 (Debian's package libnvidia-encode1)"
    case .vaapi, .qsv: Self.names(in: "/dev/dri", beginning: "renderD") ? nil : "there is no GPU in /dev/dri"
    case .v4l2: Self.names(in: "/dev", beginning: "video") ? nil : "there is no device /dev/video*"
    }
  }

  private static func opens(_ library: String) -> Bool {
    guard let handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL) else { return false }
    dlclose(handle)
    return true
  }

  private static func names(in folder: String, beginning prefix: String) -> Bool {
    guard let directory = opendir(folder) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(prefix) { return true }
    }
    return false
  }
}
