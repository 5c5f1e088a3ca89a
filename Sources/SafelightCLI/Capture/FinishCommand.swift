import ArgumentParser
import Safelight

struct FinishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Finishes deferred photos: those left for later, and those of a run that was killed.",
    discussion: """
      “safelight capture --deferred” writes a photo of one frame at once, the proxy,
      and keeps all frames in the hidden folder .safelight-unfinished beside it. This
      makes the final photos of them, and removes the frames. Name the folders that
      photos were taken into, as with -o, not those below.

      A proxy is replaced whole or not at all. If you have changed it, it is kept,
      and the final photo gets a number; if you have renamed it in its folder, it is
      replaced there; if it is gone, the final photo is written under its name, since
      you may have moved it. An edit beside the photo stays.

      Examples:
        safelight finish photos/
        safelight finish booth/ party/ --dry-run
        safelight finish photos/ --json
      """)

  @Argument(
    help: ArgumentHelp("Folders that photos were taken into", valueName: "folder"), completion: .directory)
  var folders: [String]

  @Flag(name: [.customShort("n"), .long], help: "Only list what is unfinished")
  var dryRun = false

  @Flag(help: "Report each photo as JSON, one object per line")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func validate() throws {
    guard folders.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("One of the folders has no name; give the folder that photos were taken into.")
    }
  }

  func run() throws {
    var failures = 0
    for folder in folders {
      do {
        failures += try dryRun ? list(DeferredPhotos(folder)) : finish(DeferredPhotos(folder))
      } catch let error as SafelightError {
        failures += 1
        Output.note("Error: \(error.forCommandLine)")
      }
    }
    if failures > 0 { throw ExitCode.failure }
  }

  /// Returns the number of photos that cannot be finished.
  private func list(_ photos: DeferredPhotos) throws -> Int {
    let unfinished = try photos.unfinished()
    for photo in unfinished {
      if json {
        try Output.jsonLine(photo)
      } else if let problem = photo.problem {
        Output.note("Error: \(problem)")
      } else {
        Output.entry(photo.line)
      }
    }
    if unfinished.isEmpty { sayNothing(photos.folder) }
    return unfinished.count { $0.problem != nil }
  }

  /// Returns the number of photos that could not be finished.
  private func finish(_ photos: DeferredPhotos) throws -> Int {
    let unfinished = try photos.unfinished()
    if unfinished.isEmpty { sayNothing(photos.folder) }
    let progress = CountedProgress("finished", of: unfinished.count)
    defer { progress.end() }
    var failures = 0
    for photo in unfinished {
      do {
        let finished = try photos.finish(photo.id)
        progress.end()
        try tell(finished, of: photo)
      } catch let error as SafelightError {
        progress.end()
        failures += 1
        Output.note("Error: \(error.forCommandLine)")
      }
      progress.advance(photo.path)
    }
    do {
      try photos.removeLeftovers()
    } catch {
      // Where nothing may be written, this has been said.
      if failures == 0 { throw error }
    }
    return failures
  }

  private func tell(_ finished: DeliveredPhoto?, of photo: UnfinishedPhoto) throws {
    guard let finished else {
      return Output.note("Another program is finishing \(photo.path), or has finished it.")
    }
    if json { return try Output.jsonLine(finished) }
    finished.auto?.printNotes(in: finished.path)
    for warning in finished.warnings { Output.warning(warning) }
    Output.done(finished.line)
  }

  private func sayNothing(_ folder: String) {
    guard !json else { return }
    Output.done("\(folder): nothing is unfinished")
    // Frames are in the folder that -o named, not in those below.
    if let above = DeferredPhotos.folder(above: folder) {
      Output.note("There are unfinished photos in \(above): safelight finish \(ShellText.quoted(above))")
    }
  }
}

extension UnfinishedPhoto {
  /// `photos/a.jpg  quality of 8 frames  33 MB  2026-11-23T12:34:56.789+01:00`
  fileprivate var line: String {
    let made = "\(qualityPrioritization ?? "") of \(frames) frames"
    return [path, made, ByteText.text(bytes), capturedAt].compactMap { $0 }.joined(separator: "  ")
  }
}
