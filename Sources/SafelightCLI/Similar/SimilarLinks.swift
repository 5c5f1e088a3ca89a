import Libc
import Safelight

/// A folder with a folder of links for each group.
struct SimilarLinks {
  private let report: SimilarReport

  init(_ report: SimilarReport) { self.report = report }

  /// - Parameter path: of the folder, which must not be there yet.
  /// - Throws: `SafelightError`; what was made is left.
  func make(_ path: String) throws {
    try folder(path)
    let digits = String(report.groups.count).count
    for (index, group) in report.groups.enumerated() {
      let number = String(index + 1)
      let name = String(repeating: "0", count: digits - number.count) + number + "-" + group.kind.rawValue
      let subfolder = path + "/" + name
      try folder(subfolder)
      var taken: Set<String> = []
      for photo in group.photos {
        // Photos of different folders may have one name.
        let (stem, suffix) = Self.parts(photo.path.fileName)
        let link =
          (1...).lazy.map { $0 == 1 ? stem + suffix : "\(stem)-\($0)\(suffix)" }
          .first { taken.insert($0).inserted } ?? stem
        guard let target = realpath(photo.path, nil) else { throw failure(photo.path) }
        defer { free(target) }
        guard symlink(target, subfolder + "/" + link) == 0 else { throw failure(subfolder + "/" + link) }
      }
    }
  }

  private func folder(_ path: String) throws {
    guard mkdir(path, 0o777) == 0 else {
      guard errno == EEXIST else { throw failure(path) }
      throw SafelightError(.file, "\(path) exists", remedy: "name a new folder for the links")
    }
  }

  private func failure(_ path: String) -> SafelightError {
    SafelightError(.file, "Cannot make \(path): \(errorText(errno))", remedy: "check the folder")
  }

  /// `harbour` and `.jpg`.
  private static func parts(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[dot...]))
  }
}
