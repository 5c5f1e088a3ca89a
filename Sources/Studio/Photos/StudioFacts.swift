import Safelight

/// What is known of a photo, as names and values to read.
struct StudioFacts {
  let rows: [(String, String)]

  init(_ photo: ResidentPhoto) {
    let facts = photo.header.metadata.captureFacts
    let size = photo.uprightSize
    var rows: [(String, String)] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { rows.append((name, value)) }
    }
    add("Camera", Self.camera(facts))
    add("Lens", facts.focalLength.map { "\(PlainNumber.text(($0 * 10).rounded() / 10)) mm" })
    add("Aperture", facts.fNumber.map { "ƒ/\(PlainNumber.text(($0 * 10).rounded() / 10))" })
    add("Exposure", facts.exposureTime.map(Self.exposure))
    add("ISO", facts.iso.map { "\($0)" })
    let megapixels = PlainNumber.fixed(Double(size.pixelCount) / 1e6, 1)
    add("Size", "\(size) · \(megapixels) MP")
    add("Format", "\(photo.header.formatName), \(photo.header.bitsPerSample) bits")
    self.rows = rows
  }

  private static func camera(_ facts: CaptureFacts) -> String? {
    guard let camera = facts.camera else { return facts.make }
    guard let make = facts.make, !camera.lowercased().hasPrefix(make.lowercased().prefix(4)) else {
      return camera
    }
    return "\(make) \(camera)"
  }

  /// `1/250 s` or `2.5 s`.
  private static func exposure(_ seconds: Double) -> String {
    seconds < 0.4 ? "1/\(PlainNumber.text((1 / seconds).rounded())) s" : "\(PlainNumber.text(seconds)) s"
  }
}
