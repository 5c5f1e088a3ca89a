import FrameCore

/// A preset and what it does to colours, as `safelight presets show --json` prints it.
public struct PresetReport: JSONReport, Hashable {
  public let preset: PresetDescription
  public let character: LookCharacter
  /// The recipe as JSON text.
  public let recipe: String

  /// - Throws: `SafelightError` if the preset cannot be planned.
  public init(_ preset: Preset) throws {
    self.preset = PresetDescription(preset)
    character = try LookCharacter(of: preset.recipe)
    recipe = preset.portableRecipe.json()
  }
}
