import Capture
import Editing
import Files
import FilterGraph
import FrameCore
import PhotoIO
import PhotoPipeline

/// Everything that finishes a deferred photo, besides the bytes of its frames and the files of its edit.
struct DeferredManifest: Sendable, Codable {
  /// A file of the photo.
  struct Output: Sendable, Hashable, Codable {
    enum Content: String, Sendable, Hashable, Codable { case photo, original }

    var content: Content
    /// Below the folder of photos.
    var name: String
    /// Of the proxy.
    var proxy: FileFingerprint
  }

  /// As `ResolvedPhotoSettings`, without what means nothing to another process.
  struct Settings: Sendable, Hashable, Codable {
    var number: Int
    var pressedAt: Timestamp
    var qualityPrioritization: PhotoQualityPrioritization
    var frameCount: Int
    var zeroShutterLagReason: ZeroShutterLag.Reason?
    var burstID: String?
    var burstIndex: Int?

    init(_ settings: ResolvedPhotoSettings) {
      (number, pressedAt) = (settings.number, settings.pressedAt)
      (qualityPrioritization, frameCount) = (settings.qualityPrioritization, settings.frameCount)
      if case .doesNotApply(let reason) = settings.zeroShutterLag { zeroShutterLagReason = reason }
      (burstID, burstIndex) = (settings.burst?.id, settings.burst?.index)
    }

    var resolved: ResolvedPhotoSettings {
      ResolvedPhotoSettings(
        id: 0, number: number, pressedAt: pressedAt, qualityPrioritization: qualityPrioritization,
        frameCount: frameCount, zeroShutterLag: zeroShutterLagReason.map { .doesNotApply($0) } ?? .applies,
        isDeferred: true, burst: burstID.map { BurstPosition(id: $0, index: burstIndex ?? 0) })
    }
  }

  /// The edited photo comes last, so that it is there once the others are.
  var outputs: [Output]
  var settings: Settings
  var frames: [StoredFrame]
  var reference: Int
  /// As `CapturedPhoto.offset`.
  var offset: Double
  /// Of the file of frames.
  var contents: FileFingerprint
  var circumstances: PhotoCircumstances
  var camera: String?
  var edit: StoredEdit
  /// Of the file with the files of the edit; nil if it names none.
  var files: FileFingerprint?
  var export: StoredExport
  var original: String

  /// - Parameter path: the name of the file, for errors.
  /// - Throws: `SafelightError`: `.corruptData`; `.unsupported` for a newer version.
  init(_ bytes: [UInt8], path: String) throws {
    self = try SealedJSON.decode(DeferredManifest.self, from: bytes, path: path)
    guard isSensible else { throw SealedJSON.damage(path) }
  }

  init(
    _ captured: CapturedPhoto, outputs: [Output], contents: FileFingerprint,
    _ circumstances: PhotoCircumstances, _ maker: PhotoMaker, edit: StoredEdit, files: FileFingerprint?
  ) {
    (self.outputs, settings) = (outputs, Settings(captured.settings))
    (frames, reference, offset) = (captured.frames.map(StoredFrame.init), captured.reference, captured.offset)
    (self.contents, self.circumstances, camera) = (contents, circumstances, maker.camera)
    (self.edit, self.files) = (edit, files)
    (export, original) = (StoredExport(maker.export), maker.original.rawValue)
  }

  /// Whether a photo can be like this: whoever may write to the folder may have made the file.
  private var isSensible: Bool {
    let contentsOfOutputs: [Output.Content] =
      PhotoDelivery.Original(rawValue: original) == .beside ? [.original, .photo] : [.photo]
    return PhotoDelivery.Original(rawValue: original) != nil && outputs.map(\.content) == contentsOfOutputs
      && outputs.allSatisfy { Self.isName($0.name) } && Set(outputs.map(\.name)).count == outputs.count
      && (1...Self.mostFrames).contains(frames.count) && frames.indices.contains(reference)
      && frames.allSatisfy(\.isSensible) && circumstances.isSensible
      && circumstances.dates.count == frames.count && Self.areNear(frames.map(\.time), frames[reference].time)
      && Self.areNear([settings.pressedAt.nanoseconds], 0)
      && frames.reduce(0) { $0 + $1.bytes } == contents.bytes
      && abs(offset) < 1e6 && edit.isSensible && export.export != nil
      && (0..<1 << 30).contains(files?.bytes ?? 0)
  }

  /// Whether moments are so near each other, or 0, that sums of them are moments too.
  private static func areNear(_ moments: [Int64], _ center: Int64) -> Bool {
    ([center] + moments).allSatisfy { (-Int64.max / 4...Int64.max / 4).contains($0) }
  }

  /// The most frames that a photo is made of: those that can be asked for.
  private static let mostFrames = PhotoSettings.frameCounts.upperBound

  /// Whether a name, from a file, is one below a folder that photos may have.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count < 4096 && FolderListing.isBelowFolder(name)
      && !name.split(separator: "/").contains { $0 == Substring(DeferredFolder.name) }
  }

  /// How the photo is made, as when it was taken.
  ///
  /// - Throws: `SafelightError` if its recipe is damaged.
  func maker(
    files: FileSnapshot, catalog: FilterCatalog, _ environment: DeferredPhotos.Environment
  ) throws -> PhotoMaker {
    var maker = PhotoMaker(
      edit: try edit.edit(catalog: catalog), export: export.export ?? PhotoExport(),
      original: PhotoDelivery.Original(rawValue: original) ?? .none, camera: camera,
      renderer: environment.renderer, bakes: environment.bakes, files: files)
    if let recipe = try edit.wholeRecipe(in: files, catalog: catalog) { maker.recipe = { _ in recipe } }
    return maker
  }

  /// The date of the frame nearest to the press.
  var date: CaptureFacts.Date? { circumstances.dates[reference] }
}

/// What was made of a deferred photo, noted before it takes the proxy's place.
struct DeferredFinals: Sendable, Codable {
  struct Final: Sendable, Hashable, Codable {
    /// Below the folder of photos.
    var name: String
    var fingerprint: FileFingerprint
    /// Whether what is under the name is replaced.
    var replaces: Bool
  }

  /// In the order of the manifest's outputs.
  var finals: [Final]
  /// Its paths are set when it is told.
  var report: DeliveredPhoto

  /// - Parameter outputs: the number of files that the manifest has.
  /// - Throws: as `DeferredManifest.init`.
  init(_ bytes: [UInt8], outputs: Int, path: String) throws {
    self = try SealedJSON.decode(DeferredFinals.self, from: bytes, path: path)
    guard finals.count == outputs, finals.allSatisfy({ DeferredManifest.isName($0.name) }) else {
      throw SealedJSON.damage(path)
    }
  }

  init(finals: [Final], report: DeliveredPhoto) { (self.finals, self.report) = (finals, report) }
}
