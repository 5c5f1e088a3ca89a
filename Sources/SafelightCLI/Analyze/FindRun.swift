import ArgumentParser
import Safelight

/// `analyze --find`: looks for things in photos and tells them.
struct FindRun {
  let options: FindOptions
  let overwrite: Bool
  /// Names alone, or JSON, instead of lines.
  let (names, json): (Bool, Bool)

  func run(_ found: BatchInputs) throws {
    let paths = found.photos.map(\.path)
    let target = options.draw.map {
      PictureTarget(flag: "--draw", suffix: "-found.jpg", path: $0, overwrite: overwrite)
    }
    let drawings = try target?.paths(for: paths)
    let photos = try PhotoFinder.search(paths, options, drawings: drawings, overwrite: overwrite)
    for photo in photos {
      for warning in photo.warnings { Output.warning("\(photo.path): \(warning)") }
      for problem in [photo.error].compactMap(\.self) + photo.problems {
        Output.note("Error: " + (problem.contains(photo.path) ? problem : "\(photo.path): \(problem)"))
      }
    }
    for problem in found.problems { Output.note("Error: \(problem)") }
    if json {
      try Output.json(photos.map(\.report))
    } else if names {
      for photo in photos where !photo.found.isEmpty { Output.entry(photo.path) }
    } else {
      for photo in photos { FoundText.print(photo, hasCounts: options.find != [.quality]) }
    }
    let isWhole = photos.allSatisfy { $0.error == nil && $0.problems.isEmpty } && found.problems.isEmpty
    guard !isWhole else { return }
    try Output.finish()
    throw ExitCode.failure
  }
}
