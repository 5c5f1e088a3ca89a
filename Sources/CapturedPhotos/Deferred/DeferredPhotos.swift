import Files
import FilterGraph
import Filters
import FrameCore
import Rendering

/// Finishes the photos in a folder that were taken as proxies: those of a run that left them for later, and those of
/// one that was killed.
///
///     let photos = DeferredPhotos("photos/")
///     for photo in try photos.unfinished() { try photos.finish(photo.id) }
///     try photos.removeLeftovers()
///
/// A final photo takes the place of its proxy whole or not at all. A proxy that was changed meanwhile is kept, and the
/// final photo gets a name of its own; one that was renamed in its folder is replaced there; of one that is gone, the
/// final photo is written under the name that it had, since it may have been moved. The warnings of a photo say so.
///
/// Programs that finish the same folder share the work.
public struct DeferredPhotos: Sendable {
  struct Environment: Sendable {
    let renderer: any Renderer
    let bakes = BakeCache()
  }

  /// The folder that the photos were taken into; empty is the working folder.
  public let folder: String
  /// The filters that edits may use.
  public let catalog: FilterCatalog
  private let environment: Environment
  var probe = DeferralProbe()

  /// - Parameter catalog: the filters that edits may use; add your own to the standard ones.
  public init(
    _ folder: String, catalog: FilterCatalog = .standard, renderer: any Renderer = CPURenderer()
  ) {
    self.folder = PhotoNames.withoutSlashes(folder)
    self.catalog = catalog
    environment = Environment(renderer: renderer)
  }

  /// The nearest folder above `folder` that has unfinished photos; nil if there is none.
  package static func folder(above folder: String) -> String? {
    var folder = PhotoNames.withoutSlashes(folder)
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      if DeferredFolder(folder).exists { return folder }
    }
    return nil
  }

  private var records: DeferredFolder { DeferredFolder(folder) }

  /// The photos that are yet to be finished, in the order in which they were taken. Nothing is changed.
  ///
  /// Of a damaged one, `UnfinishedPhoto.problem` says what is wrong.
  ///
  /// - Throws: `SafelightError` if the folder cannot be read.
  public func unfinished() throws -> [UnfinishedPhoto] {
    if FileContents.kind(of: folder.isEmpty ? "." : folder) != .folder {
      throw SafelightError(.file, "There is no folder \(folder)", remedy: "give the folder of the photos")
    }
    return try records.recordNames().compactMap { name in
      let path = records.recordPath(name)
      // One that is being made, or that another program has finished meanwhile.
      guard DeferredRecord.hasManifest(path) else { return nil }
      do {
        let manifest = try manifest(in: path)
        try DeferredRecord.checkFrames(path, manifest)
        return UnfinishedPhoto(name, manifest, in: folder)
      } catch let error as SafelightError {
        return DeferredRecord.hasManifest(path) ? UnfinishedPhoto(name, at: path, problem: error) : nil
      }
    }
  }

  /// Finishes a photo: the final photo is there, and nothing else is left of it, once this returns.
  ///
  /// - Parameter id: as `UnfinishedPhoto.id` and `DeliveredPhoto.deferredID`.
  /// - Returns: nil if another program finishes it, or has finished it.
  /// - Throws: `SafelightError`; the photo can then be finished another time, unless it is damaged.
  @discardableResult
  public func finish(_ id: String) throws -> DeliveredPhoto? {
    guard !id.isEmpty, !id.hasPrefix("."), !id.contains("/") else {
      throw SafelightError(
        .invalidValue, "“\(id)” is not the id of a deferred photo", remedy: "take it from unfinished()")
    }
    let path = records.recordPath(id)
    guard DeferredRecord.hasManifest(path), let record = try DeferredRecord(id, in: records),
      DeferredRecord.hasManifest(path)
    else { return nil }
    let manifest = try manifest(in: path)
    do {
      return try DeferredFinishing(
        record: record, manifest: manifest, catalog: catalog, environment: environment, probe: probe
      ).finish()
    } catch let error as SafelightError where error.code != .corruptData {
      let photo = UnfinishedPhoto(id, manifest, in: folder).path
      throw SafelightError(
        error.code, "\(photo) is not finished yet: \(error.problem)", remedy: error.remedy)
    }
  }

  /// Removes what is left of photos that were never announced, because their run was killed, and the hidden folder
  /// unless photos are yet to be finished.
  ///
  /// - Throws: `SafelightError` if the folder cannot be read or changed.
  public func removeLeftovers() throws { try records.removeLeftovers() }

  private func manifest(in record: String) throws -> DeferredManifest {
    let path = FolderListing.path(DeferredRecord.manifest, in: record)
    let bytes = try FileContents.read(path, .regularFile, atMost: SealedJSON.sizeLimit)
    return try DeferredManifest(bytes, path: record)
  }
}
