import ArgumentParser
import Safelight

/// A second camera in the picture of the first.
struct SecondCameraOptions: ParsableArguments {
  @Option(
    name: .customLong("and"),
    help: ArgumentHelp("Where the second camera's frames come from, as for --source", valueName: "source"),
    completion: .file())
  var source: String?

  @Option(
    help: ArgumentHelp(
      "pip, or pip:top-right, pip:bottom-left, pip:bottom-right: in a corner; side: side by side (default: pip)",
      valueName: "layout"),
    completion: .list(["pip", "pip:top-right", "pip:bottom-left", "pip:bottom-right", "side"]),
    transform: SecondCameraOptions.layout)
  var layout: PairLayout?

  @Option(
    name: .customLong("and-preset"),
    help: ArgumentHelp("A look for the second camera; the other flags are for the first", valueName: "name"),
    completion: .list(PresetLibrary.ids))
  var preset: String?

  @Option(
    name: .customLong("and-size"), parsing: .unconditional,
    help: ArgumentHelp("Size to request from the second camera", valueName: "WxH"), transform: SizeText.parse)
  var size: PixelSize?

  mutating func validate() throws {
    if source == nil, layout != nil || preset != nil || size != nil {
      throw ValidationError(
        "--layout, --and-preset and --and-size have no effect without --and; name the second camera.")
    }
    preset = try preset.map(PresetLibrary.checkedName)
  }

  private static func layout(_ text: String) throws -> PairLayout {
    do {
      return try PairLayout(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  /// The first camera's input, with the second one in its picture if there is one. Each then has its own look, and the
  /// pipeline has none.
  ///
  /// - Parameter recipe: the look of the first camera.
  func paired(with first: any CaptureInput, through recipe: Recipe, _ command: LiveCommand) throws
    -> any CaptureInput
  {
    guard let source else { return first }
    let second = try LiveSource(source).makeInput(size: size)
    guard second.id != first.id || second is SyntheticInput else {
      throw SafelightError(
        .invalidValue, "Both cameras are \(first.name)", remedy: "name another one with --and")
    }
    let look = try preset.map { try PresetLibrary.preset($0, own: .standard).recipe } ?? Recipe()
    let backend = try command.backend.request
    return CameraPairInput(
      CameraPairInput.Camera(first, look: LiveLook(recipe)),
      CameraPairInput.Camera(
        second, look: LiveLook(look), request: StreamRequest(size: size)),
      layout: layout ?? .inset(.topLeft), makeRenderer: { try backend.makeRenderer() })
  }
}
