import ArgumentParser
import Safelight

/// `--find`: what is looked for in photos.
enum FindTarget: String, CaseIterable {
  case codes, faces, text, document
  /// What measurements mean, in words; it has no place in the picture.
  case quality

  /// Sheets that lie beside each other, and no more.
  private static let mostDocuments = 8

  static let words = allCases.map(\.rawValue).joined(separator: ", ")

  /// What `safelight-vision` must be able to do for it; nil if nothing.
  var ability: VisionAbility? {
    switch self {
    case .codes: .codes
    case .faces: .faces
    case .text: .text
    case .document, .quality: nil
    }
  }

  /// - Parameter worker: has the abilities of all targets; nil if none of them needs one.
  func detector(_ worker: VisionWorker?) -> (any FrameDetector)? {
    switch self {
    case .codes: worker.map { CodeDetector($0) }
    case .faces: worker.map { FaceDetector($0) }
    case .text: worker.map { TextDetector($0) }
    case .document: DocumentDetector(maximumCount: Self.mostDocuments, refines: true)
    case .quality: nil
    }
  }

  /// - Parameter text: names separated by commas.
  static func list(_ text: String) throws -> [FindTarget] {
    var targets: [FindTarget] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let target = Self(rawValue: String(name)) else {
        throw ValidationError(
          NearestName.error(unknown: "thing to find", String(name), among: allCases.map(\.rawValue))
            .description)
      }
      if !targets.contains(target) { targets.append(target) }
    }
    return targets
  }
}

/// `--find` and what belongs to it.
struct FindOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Look for things instead of measuring, with commas: \(FindTarget.words)", valueName: "list"),
    completion: .list(FindTarget.allCases.map(\.rawValue)), transform: FindTarget.list)
  var find: [FindTarget]?

  @Option(
    help: ArgumentHelp(
      "Draw what was found: a .jpg, .png … or, for several photos, a folder", valueName: "out"),
    completion: .file())
  var draw: String?

  @Option(
    help: ArgumentHelp("A YuNet model, .onnx, to find faces with", valueName: "file"), completion: .file())
  var faceModel: String?

  @Option(
    help: ArgumentHelp(
      "The language of text, as Tesseract names it: eng, deu+eng (default: eng)", valueName: "name"))
  var language: String?

  mutating func validate() throws {
    if find == [.quality], draw != nil {
      throw ValidationError("--draw draws things that have a place, which quality has not; leave it out.")
    }
    let needs =
      [("--draw", draw, nil), ("--face-model", faceModel, .faces), ("--language", language, .text)]
      as [(String, String?, FindTarget?)]
    for (flag, value, target) in needs where value != nil {
      if let target, find?.contains(target) != true {
        throw ValidationError("\(flag) needs --find \(target.rawValue).")
      }
      if find == nil { throw ValidationError("\(flag) needs --find.") }
    }
  }

  /// What a worker must be started with; nil if none is needed.
  var vision: VisionWorker.Options? {
    let abilities = (find ?? []).compactMap(\.ability)
    guard !abilities.isEmpty else { return nil }
    return VisionWorker.Options(Set(abilities), faceModel: faceModel, language: language ?? "eng")
  }
}
