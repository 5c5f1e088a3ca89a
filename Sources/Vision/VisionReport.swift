import FrameCore

/// What a worker can do and how it is confined, as it says itself.
public struct VisionReport: JSONReport, Hashable {
  public struct Ability: Codable, Sendable, Hashable {
    public var isReady: Bool
    /// The library with its version and its model, or the file that is missing.
    public var detail: String
    /// Why it is not ready, and what to install; left out if it is.
    public var problem: String?
  }

  /// Where the program is.
  public var program: String
  /// By their names: `codes`, `faces`, `text`.
  public var abilities: [String: Ability]
  /// Each measure that confines the process, with `active`, or why it is not: `memory`, `noCoreFiles`,
  /// `noNewPrivileges`, `landlock`, `seccomp`.
  public var confinement: [String: String]
  public var statistics = VisionWorker.Statistics()
  private var errors: [VisionAbility: SafelightError] = [:]

  private enum CodingKeys: CodingKey { case program, abilities, confinement, statistics }

  init(
    program: String, abilities: [VisionAbility: VisionAnswer.Ability], measures: [String: String],
    _ options: VisionWorker.Options
  ) {
    self.program = program
    self.abilities = [:]
    confinement = measures
    for (ability, value) in abilities {
      let error =
        value.state == .ready ? nil : Self.absence(of: ability, value.state, value.detail, program, options)
      errors[ability] = error
      self.abilities[ability.name] = Ability(
        isReady: error == nil, detail: value.detail, problem: error?.description)
    }
  }

  func counting(_ statistics: VisionWorker.Statistics) -> VisionReport {
    var report = self
    report.statistics = statistics
    return report
  }

  /// Why one of these cannot be looked for.
  func problem(of abilities: Set<VisionAbility>) -> SafelightError? {
    abilities.sorted { $0.rawValue < $1.rawValue }.compactMap { errors[$0] }.first
  }

  private static func absence(
    of ability: VisionAbility, _ state: VisionAnswer.State, _ detail: String, _ program: String,
    _ options: VisionWorker.Options
  ) -> SafelightError {
    let what = ability == .codes ? "Codes" : ability == .faces ? "Faces" : "Text"
    switch (state, ability) {
    case (.noLibrary, _):
      return SafelightError(
        .missingLibrary, "\(what) cannot be found: \(program) was built without \(ability.library)",
        remedy: "install the package \(ability.debianPackages) of Debian, and build it again with make vision"
      )
    case (_, .faces) where options.faceModel != nil:
      return SafelightError(
        .corruptData, "The face model \(detail) is none that OpenCV can find faces with",
        remedy: "use a YuNet model, an .onnx file such as face_detection_yunet_2022mar.onnx")
    case (_, .text):
      let languages = options.language.split(separator: "+")
      let packages = languages.map { "tesseract-ocr-\($0.replacing("_", with: "-"))" }.joined(
        separator: " and ")
      return SafelightError(
        .missingLibrary, "Text in “\(options.language)” cannot be read: Tesseract has no data for it",
        remedy: "install the package \(packages) of Debian")
    case (.noFile, .faces):
      return SafelightError(
        .missingLibrary, "Faces cannot be found: there is no \(detail)",
        remedy: "install the package opencv-data of Debian, or name a model with --face-model")
    default:
      return SafelightError(.unsupported, "\(what) cannot be found: \(detail)")
    }
  }
}
