import FrameCore

/// How the bytes of an encoder become those that containers store.
struct EncodedStream: Hashable {
  let codec: VideoCodec

  /// The decoder's configuration from the encoder's header.
  ///
  /// - Throws: `SafelightError` if the header lacks what the container needs.
  func configuration(header: [UInt8], encoder: String) throws -> [UInt8] {
    let made: [UInt8]? =
      switch codec {
      case .h264: AVCConfiguration.make(header: header)
      case .hevc: HEVCConfiguration.make(header: header)
      case .av1: AV1Configuration.make(header: header)
      case .ffv1: header.isEmpty ? nil : header
      case .prores: []
      }
    guard let made else {
      throw SafelightError(
        .unsupported,
        "The encoder \(encoder) gives no parameter sets for \(codec.title) before its first picture",
        remedy: "choose another encoder")
    }
    return made
  }

  /// A packet's bytes.
  func sample(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
    switch codec {
    case .h264: return AnnexB.lengthPrefixed(bytes, where: AVCConfiguration.isKept)
    case .hevc: return AnnexB.lengthPrefixed(bytes, where: HEVCConfiguration.isKept)
    case .av1:
      guard let sample = AV1Configuration.sample(bytes) else {
        throw SafelightError(
          .corruptData, "The encoder of AV1 gave units whose sizes do not fit",
          remedy: "choose another encoder")
      }
      return sample
    case .prores, .ffv1: return [UInt8](bytes)
    }
  }

  /// The code of the sample description.
  func fourCC(_ profile: ProResProfile) -> String {
    switch codec {
    case .h264: "avc1"
    case .hevc: "hvc1"
    case .av1: "av01"
    case .prores: profile.fourCC
    case .ffv1: "FFV1"
    }
  }
}
