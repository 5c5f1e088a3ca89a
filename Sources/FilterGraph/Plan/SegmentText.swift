extension Footprint: CustomStringConvertible {
  /// `point`, `halo 3×3`, `whole`
  public var description: String {
    switch self {
    case .point: "point"
    case .halo(let x, let y): "halo \(x)×\(y)"
    case .whole: "whole"
    }
  }
}

extension Segment: CustomStringConvertible {
  /// The kinds of the stages, with what those read that read more than a pixel:
  /// `denoise halo 14×14 → field · bake 33³ → rgba16 → sharpen halo 3×3`
  public var description: String {
    func names(_ stages: [Stage]) -> String? {
      guard !stages.isEmpty else { return nil }
      return stages.map { stage in
        stage.footprint == .point ? stage.line.title : "\(stage.line.title) \(stage.footprint)"
      }.joined(separator: " · ")
    }
    let between = neighbourhood == nil ? nil : colorFormat.rawValue
    let parts = [names(sampling), names(color), between, names(neighbourhood.map { [$0] } ?? [])]
      .compactMap { $0 }
    return parts.isEmpty ? "samples as they are" : parts.joined(separator: " → ")
  }
}

extension Plan {
  /// The segments, one a line and numbered.
  public var segmentText: String {
    segments.enumerated().map { "\($0.offset + 1)  \($0.element)" }.joined(separator: "\n")
  }
}
