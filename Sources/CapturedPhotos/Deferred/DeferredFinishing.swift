import Capture
import Files
import FilterGraph
import FrameCore
import Libc
import PhotoPipeline
import Sidecars

/// Finishes one deferred photo, from wherever an earlier attempt has ended.
struct DeferredFinishing {
  let record: DeferredRecord
  let manifest: DeferredManifest
  let catalog: FilterCatalog
  let environment: DeferredPhotos.Environment
  let probe: DeferralProbe

  /// The most times that a name is chosen anew because another program took it.
  private static let mostAttempts = 20

  private func proxy(_ index: Int) -> String { DeferredRecord.proxy(index, manifest.export) }
  private func final(_ index: Int) -> String { DeferredRecord.final(index, manifest.export) }
  private var places: DeferredPlaces { DeferredPlaces(folder: record.folder.photos) }

  /// - Throws: `SafelightError`; the proxy and the record are then as before.
  func finish() throws -> DeliveredPhoto {
    var finals = try noted() ?? make()
    for index in finals.finals.indices { try place(index, &finals) }
    var report = finals.report
    let paths = finals.finals.map { FolderListing.path($0.name, in: record.folder.photos) }
    for (path, output) in zip(paths, manifest.outputs) {
      if output.content == .photo { report.path = path } else { report.original = path }
    }
    try keepEdit(of: &report, finals.finals[finals.finals.count - 1].fingerprint)
    try probe.reached(.sidecarChanged)
    record.remove()
    return report
  }

  // MARK: The final photos

  /// What an earlier attempt has made; nil if it did not come so far, or if that is damaged and must be made again.
  private func noted() throws -> DeferredFinals? {
    guard record.has(DeferredRecord.finals) else { return nil }
    do {
      let bytes = try record.read(DeferredRecord.finals, atMost: SealedJSON.sizeLimit)
      let path = record.file(DeferredRecord.finals)
      let finals = try DeferredFinals(bytes, outputs: manifest.outputs.count, path: path)
      for (index, made) in finals.finals.enumerated() where record.has(final(index)) {
        try record.check(final(index), made.fingerprint)
      }
      return finals
    } catch let error as SafelightError where error.code == .corruptData {
      return nil
    }
  }

  private func make() throws -> DeferredFinals {
    // Of an attempt that ended.
    for index in manifest.outputs.indices { unlink(record.file(final(index))) }
    do {
      var watch = Stopwatch()
      let (made, maker) = try develop(timing: &watch)
      var finals = DeferredFinals(finals: [], report: made.photo)
      finals.report.deferredID = record.name
      for (index, output) in manifest.outputs.enumerated() {
        let path = record.file(final(index))
        let isPhoto = output.content == .photo
        let file = try maker.write(
          made, through: isPhoto ? made.written : Recipe(), to: path, isPhoto ? watch : Stopwatch())
        if isPhoto { finals.report.take(file) } else { finals.report.warnings += file.warnings }
        finals.finals.append(
          .init(name: output.name, fingerprint: try FileFingerprint(contentsOf: path), replaces: false))
      }
      try probe.reached(.finalsWritten)
      for index in manifest.outputs.indices { try choosePlace(index, &finals) }
      try note(finals)
      return finals
    } catch {
      if !(error is DeferralProbe.Ended) {
        for index in manifest.outputs.indices { unlink(record.file(final(index))) }
      }
      throw error
    }
  }

  private func note(_ finals: DeferredFinals) throws {
    try record.complete(DeferredRecord.finals, SealedJSON.encode(finals))
    try probe.reached(.finalsNoted)
  }

  private func develop(timing watch: inout Stopwatch) throws -> (PhotoMaker.Made, PhotoMaker) {
    let captured = try watch.measure("read") {
      CapturedPhoto(
        settings: manifest.settings.resolved, frames: try readFrames(), reference: manifest.reference,
        offset: manifest.offset)
    }
    let maker = try manifest.maker(files: readFiles(), catalog: catalog, environment)
    let developed = try watch.measure("frame") { try captured.developed() }
    return (try maker.make(developed, of: captured, manifest.circumstances, timing: &watch), maker)
  }

  private func readFrames() throws -> [PhotoFrame] {
    try record.check(DeferredRecord.frames, manifest.contents)
    let path = record.file(DeferredRecord.frames)
    let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
    guard file.number >= 0 else { throw SealedJSON.damage(record.path) }
    var bytes: [UInt8] = []
    return try manifest.frames.map { frame in
      if bytes.count < frame.bytes { bytes = [UInt8](repeating: 0, count: frame.bytes) }
      return try bytes.withUnsafeMutableBytes { bytes in
        var done = 0
        while done < frame.bytes {
          let count = retryingInterrupted {
            read(file.number, bytes.baseAddress.map { $0 + done }, frame.bytes - done)
          }
          guard count > 0 else { throw SealedJSON.damage(record.path) }
          done += count
        }
        return try frame.frame(UnsafeRawBufferPointer(rebasing: bytes[..<frame.bytes]))
      }
    }
  }

  /// The files of the edit, as they were; others are not read.
  private func readFiles() throws -> FileSnapshot {
    let name = DeferredRecord.files
    var archive = Array("[]\n".utf8)
    if let fingerprint = manifest.files {
      try record.check(name, fingerprint)
      archive = try record.read(name, atMost: 1 << 30)
    }
    return try FileSnapshot(archive: archive, named: record.file(name), isClosed: true)
  }

  // MARK: Their places

  private func choosePlace(_ index: Int, _ finals: inout DeferredFinals) throws {
    let output = manifest.outputs[index]
    let isAnnounced = record.isPlaced(proxy(index), at: try places.path(of: output.name))
    let choice = try places.choose(for: output, isAnnounced: isAnnounced, catalog: catalog)
    finals.finals[index].name = try DeferredPlaces.name(of: choice.path, below: record.folder.photos)
    finals.finals[index].replaces = choice.replaces
    if let note = choice.note { finals.report.warnings.append(note) }
  }

  /// Gives a final photo its name, unless it has it.
  private func place(_ index: Int, _ finals: inout DeferredFinals) throws {
    for _ in 0..<Self.mostAttempts {
      do {
        try placeOnce(index, &finals)
        try probe.reached(manifest.outputs[index].content == .photo ? .photoPlaced : .originalPlaced)
        return
      } catch let error as SafelightError where error.code == .exists {
        // The user, or another program, was faster.
        try choosePlace(index, &finals)
        try note(finals)
      }
    }
    throw SafelightError(
      .file, "Another program keeps taking the names for the photo",
      remedy: "end that program, or try again")
  }

  /// - Throws: `SafelightError`: `.exists` if the place is not as it was when it was chosen.
  private func placeOnce(_ index: Int, _ finals: inout DeferredFinals) throws {
    let (source, made) = (final(index), finals.finals[index])
    let path = try places.path(of: made.name)
    guard !record.isPlaced(source, at: path), !Self.isFinal(path, made.fingerprint) else { return }
    guard made.replaces else { return try record.place(source, at: path) }
    let version = FileVersion(path)
    guard let version, DeferredPlaces.isProxy(path, manifest.outputs[index].proxy) else {
      throw DeferredRecord.cannotPlace(path, EEXIST)
    }
    finals.report.warnings += try record.place(source, over: path, replacing: version)
  }

  private static func isFinal(_ path: String, _ fingerprint: FileFingerprint) -> Bool {
    FileContents.isRegular(path) && (try? FileFingerprint(contentsOf: path)) == fingerprint
  }

  /// An edit beside the photo that was made for the proxy is for the final photo from now on. If the photo is unedited
  /// and was to have its edit beside it, it gets it now if it has none.
  private func keepEdit(of report: inout DeliveredPhoto, _ fingerprint: FileFingerprint) throws {
    let path = report.path
    let proxy = manifest.outputs[manifest.outputs.count - 1].proxy
    let hasRecipe = manifest.original == PhotoDelivery.Original.withRecipe.rawValue
    let exists = RecipeSidecar.exists(forPhoto: path)
    // Any other one is the user's own.
    let isOurs =
      exists ? (try? RecipeSidecar.read(forPhoto: path, catalog: catalog))??.photo == proxy : hasRecipe
    if isOurs {
      var warnings: [String] = []
      try RecipeSidecar.change(forPhoto: path, catalog: catalog, warn: { warnings.append($0) }) { sidecar in
        // While nobody else may write one.
        DeferredRecord.removeTemporaryFiles(of: RecipeSidecar.path(forPhoto: path))
        var sidecar = sidecar
        if sidecar?.photo == proxy { sidecar?.photo = fingerprint }
        return sidecar
      }
      report.warnings += warnings
    }
    guard hasRecipe else { return }
    if !exists {
      var watch = Stopwatch()
      try PhotoDelivery.saveRecipe(of: develop(timing: &watch).0, beside: &report, catalog: catalog)
    }
    // A photo that nothing is to be done to has none.
    if RecipeSidecar.exists(forPhoto: path) { report.sidecar = RecipeSidecar.path(forPhoto: path) }
  }
}
