import BenchmarkSupport
import FrameAnalysis
import FrameCore
import Glibc
import PhotoIO

/// The answers for a photo, unchanged and rotated by known angles.
struct PhotoAnswers: Sendable {
  static let turns = [-12.0, -7, -3, -1, 1, 3, 7, 12]

  var path: String
  var original: Answer
  var turned: [Answer]

  var all: [Answer] { [original] + turned }
  var label: String { original.group }

  /// The difference between the change of the answer and the rotation, for each rotation with two confident
  /// answers.
  var inconsistencies: [Double] {
    guard original.horizon.isConfident, let before = original.horizon.degrees else { return [] }
    return turned.compactMap { answer in
      guard answer.horizon.isConfident, let after = answer.horizon.degrees,
        case .photo(_, let turn) = answer.subject
      else { return nil }
      return abs(after - before - turn)
    }
  }

  /// - Parameter label: `level` means that the unchanged photo is level.
  init(path: String, label: String?, examiner: Examiner) throws {
    let photo = try Photo(contentsOf: path)
    guard photo.buffer.format == .rgba8 else {
      throw SafelightError(.unsupported, "\"\(path)\" is not a photo of 8 bits.", remedy: "Leave it out.")
    }
    self.path = path
    func answer(_ turn: Double) throws -> Answer {
      try examiner.answer(
        to: .photo(path: path, turn: turn), group: label ?? "", truth: label == "level" ? turn : nil,
        picture: try photo.turned(by: turn), orientation: photo.orientation)
    }
    original = try answer(0)
    turned = try Self.turns.map(answer)
  }

  /// The photos that `arguments` name, directly or by their folder, ordered by name.
  static func paths(in arguments: [String]) throws -> [String] {
    let extensions: Set = ["jpg", "jpeg", "png", "heic", "webp", "tif", "tiff"]
    return try arguments.flatMap { argument -> [String] in
      guard let folder = opendir(argument) else { return [argument] }
      defer { closedir(folder) }
      var names: [String] = []
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if let suffix = name.split(separator: ".").last, extensions.contains(suffix.lowercased()) {
          names.append(argument + "/" + name)
        }
      }
      guard !names.isEmpty else {
        throw SafelightError(.file, "\"\(argument)\" holds no photo.", remedy: "Name a folder of photos.")
      }
      return names.sorted()
    }
  }

  /// Labels by the names of photos: rows of a name, a tab and a label; rows that start with # are comments.
  static func labels(in path: String) throws -> [String: String] {
    guard let file = fopen(path, "r") else {
      throw SafelightError(.file, "\"\(path)\" cannot be read.", remedy: "Name a table of labels.")
    }
    defer { fclose(file) }
    var labels: [String: String] = [:]
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let cells = text.split(whereSeparator: { $0 == "\t" || $0 == "\n" || $0 == "\r" })
      if cells.count >= 2, !text.hasPrefix("#") { labels[String(cells[0])] = String(cells[1]) }
    }
    return labels
  }
}

extension Photo {
  /// Returns the stored samples with the displayed picture rotated counter-clockwise by `degrees`.
  func turned(by degrees: Double) throws -> PixelBuffer {
    // A picture that is displayed mirrored rotates the other way.
    degrees == 0 ? buffer : try buffer.turned(by: orientation.isMirrored ? -degrees : degrees)
  }
}

extension MarkdownReport {
  /// Labelled photos: how well rotations are found, and the answers for photos without a horizon.
  func labelled(_ photos: [PhotoAnswers], named name: String) {
    say("Photos labelled by eye, \(name):")
    func row(_ title: String, _ answers: [Answer]) -> [String] {
      let accepted = answers.filter(\.horizon.isConfident)
      let errors = answers.map(\.error)
      let hasTruth = answers.contains { $0.truth != nil }
      func of(_ limit: Double) -> String {
        hasTruth ? percent(accepted.count { $0.error <= limit }, of: accepted.count) : "-"
      }
      return [
        title, "\(answers.count)", percent(accepted.count, of: answers.count), of(1), of(2), of(4),
        hasTruth ? fixed(100 * areaUnderRecall(errors, limit: 5), 1) : "-",
      ]
    }
    var rows: [[String]] = []
    for label in ["level", "none"] {
      let group = photos.filter { $0.label == label }
      rows.append(row("\(label), as it is", group.map(\.original)))
      rows.append(row("\(label), turned", group.flatMap(\.turned)))
    }
    table(["label", "pictures", "accepted", "within 1°", "within 2°", "within 4°", "AUC@5°"], rows)
    consistency(photos.filter { $0.label == "level" }, named: "labelled level")
    consistency(photos, named: "with any label")
  }

  func consistency(_ photos: [PhotoAnswers], named name: String) {
    let differences = photos.flatMap(\.inconsistencies)
    say(
      "Photos \(name): accepted \(photos.count(where: \.original.horizon.isConfident)) of \(photos.count) as they are; "
        + "of \(differences.count) pairs of accepted answers the change agrees with the turn to 1° in "
        + "\(percent(differences.count { $0 <= 1 }, of: differences.count)).")
  }

  /// Unlabelled photos, one per row.
  func unlabelled(_ photos: [PhotoAnswers]) {
    table(
      ["photo", "degrees", "deviation", "confidence", "turned: accepted", "worst change°", "evidence"],
      photos.map { photo in
        let horizon = photo.original.horizon
        let turned = photo.turned.count(where: \.horizon.isConfident)
        return [
          photoName(photo.path), fixed(horizon.degrees ?? .nan, 2),
          fixed(horizon.deviation ?? .nan, 2),
          fixed(horizon.confidence, 2), "\(turned) of \(photo.turned.count)",
          fixed(photo.inconsistencies.max() ?? .nan, 2),
          horizon.evidence.kinds.map(\.rawValue).sorted().joined(separator: ", "),
        ]
      })
  }
}
