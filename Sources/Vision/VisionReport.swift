import FrameCore

/// What a worker can do and how it is confined, as it says itself.
public struct VisionReport: JSONReport, Hashable {
  public struct Ability: Codable, Sendable, Hashable {
    public var isReady: Bool
    /// The library with its version and its model; or what is missing.
    public var detail: String
  }

  /// Where the program is.
  public var program: String
  /// By their names: `codes`, `faces`, `text`.
  public var abilities: [String: Ability]
  /// Each measure that confines the process, with `active`, or why it is not: `memory`, `noCoreFiles`,
  /// `noNewPrivileges`, `landlock`, `seccomp`.
  public var confinement: [String: String]
  public var statistics = VisionWorker.Statistics()
  private var missing: [VisionAbility: Missing] = [:]

  private struct Missing: Hashable {
    var state: UInt8
    var detail: String
  }

  private enum CodingKeys: CodingKey { case program, abilities, confinement, statistics }

  init(program: String, abilities: [VisionAbility: VisionAnswer.Ability], measures: [String: String]) {
    self.program = program
    self.abilities = [:]
    confinement = measures
    for (ability, value) in abilities {
      let isReady = value.state == .ready
      self.abilities[ability.name] = Ability(isReady: isReady, detail: value.detail)
      if !isReady { missing[ability] = Missing(state: value.state.rawValue, detail: value.detail) }
    }
  }

  func counting(_ statistics: VisionWorker.Statistics) -> VisionReport {
    var report = self
    report.statistics = statistics
    return report
  }

  /// Throws for the first ability that was asked for and is not there.
  func check(_ options: VisionWorker.Options) throws {
    for ability in options.abilities.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let error = absence(of: ability, options) { throw error }
    }
  }

  private func absence(of ability: VisionAbility, _ options: VisionWorker.Options) -> SafelightError? {
    guard let missing = missing[ability] else { return nil }
    let what = ability == .codes ? "Codes" : ability == .faces ? "Faces" : "Text"
    switch (VisionAnswer.State(rawValue: missing.state), ability) {
    case (.noLibrary, _):
      return SafelightError(
        .unsupported, "\(what) cannot be found: \(program) was built without \(ability.library)",
        remedy: "install the package \(ability.debianPackages) of Debian, and build it again with make vision"
      )
    case (_, .faces) where options.faceModel != nil:
      return SafelightError(
        .corruptData, "The face model \(missing.detail) is none that OpenCV \(Self.readable)",
        remedy: "use a YuNet model, an .onnx file such as face_detection_yunet_2022mar.onnx")
    case (_, .text):
      let languages = options.language.split(separator: "+")
      let packages = languages.map { "tesseract-ocr-\($0.replacing("_", with: "-"))" }.joined(
        separator: " and ")
      return SafelightError(
        .unsupported, "Text in “\(options.language)” cannot be read: Tesseract has no data for it",
        remedy: "install the package \(packages) of Debian")
    case (.noFile, .faces):
      return SafelightError(
        .unsupported, "Faces cannot be found: there is no \(missing.detail)",
        remedy: "install the package opencv-data of Debian, or name a model with --face-model")
    default:
      return SafelightError(.unsupported, "\(what) cannot be found: \(missing.detail)")
    }
  }

  private static let readable = "can find faces with"
}
