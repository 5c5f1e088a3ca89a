import FrameCore

/// What a list of presets shows of one; `safelight presets list --json` prints a list of these.
public struct PresetDescription: JSONReport, Hashable {
  /// The name on command lines: `teal-orange`.
  public let preset: String
  /// The display name: `Teal & Orange`.
  public let name: String
  /// One line: what the look does.
  public let description: String
  /// The family it belongs to, such as `portrait-negative`; empty if none.
  public let family: String
  /// One line: when to use it; may be empty.
  public let use: String
  public let tags: [String]
  /// Whether it is one's own, and did not ship with Safelight.
  public let own: Bool

  public init(_ preset: Preset) {
    (self.preset, name, description, own) = (preset.id, preset.name, preset.description, preset.isOwn)
    (family, use, tags) = (preset.labels.family, preset.labels.use, preset.labels.tags)
  }
}
