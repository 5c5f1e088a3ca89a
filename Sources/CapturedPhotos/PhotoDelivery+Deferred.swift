import Capture
import Files
import FilterGraph
import FrameCore
import Libc
import PhotoIO
import PhotoPipeline

extension PhotoDelivery {
  /// Writes the photo; of one whose settings are deferred first the proxy, which `updates` tells, and then the final
  /// photo in its place.
  ///
  /// - Throws: `SafelightError`. A deferred photo whose proxy was told is then left to `DeferredPhotos`.
  public func deliver(_ captured: CapturedPhoto, updates: PhotoUpdates<DeliveredPhoto>) throws
    -> DeliveredPhoto
  {
    guard captured.settings.isDeferred else { return try deliver(captured) }
    let proxy = try deliverProxy(captured)
    guard proxy.isProxy, let id = proxy.deferredID else { return proxy }
    updates.proxy(proxy)
    let photos = deferredPhotos
    // Another program may have been faster.
    let photo = try photos.finish(id) ?? proxy
    // Those of others, and the folder; what cannot be removed now can be later.
    try? photos.removeLeftovers()
    return photo
  }

  /// Writes one frame of the photo, with its look, and keeps all frames beside it, so that `DeferredPhotos` can finish
  /// it at any time later, also after a crash: once this returns, both are on the disk.
  ///
  /// If the frames cannot be kept, for example because the disk has no space for them, the photo is finished at once;
  /// a warning says so, and `isProxy` is false.
  ///
  /// - Throws: `SafelightError`; then no file of this photo is left.
  public func deliverProxy(_ captured: CapturedPhoto) throws -> DeliveredPhoto {
    do {
      guard captured.exposures.isEmpty, !names.isDNG, export.comparison == nil else {
        throw SafelightError(.unsupported, "Photos of its kind are always finished at once")
      }
      return try deferral(of: captured)
    } catch let error as SafelightError {
      var photo = try deliver(captured)
      photo.warnings.append(
        "The photo was finished at once, since its frames could not be kept: \(error.problem)")
      return photo
    }
  }

  /// The photos in the folder of `names` that are yet to be finished.
  public var deferredPhotos: DeferredPhotos {
    var photos = DeferredPhotos(names.folder, catalog: edit.catalog, renderer: renderer)
    photos.probe = probe
    return photos
  }

  private func deferral(of captured: CapturedPhoto) throws -> DeliveredPhoto {
    var watch = Stopwatch()
    let circumstances = circumstances(of: captured)
    let developed = try watch.measure("frame") {
      DevelopedFrame(frame: try captured.referenceFrame.frame(), index: captured.reference)
    }
    let maker = maker
    let made = try maker.make(developed, of: captured, circumstances, timing: &watch)
    let path = try name(for: made, of: captured, maker.export)
    let id = [circumstances.facts.date?.fileName ?? "undated", String(CaptureFacts.makeUniqueID().prefix(8))]
      .joined(separator: "-")
    let folder = DeferredFolder(names.folder)
    let record = try folder.makeRecord(named: id)
    var placed: [String] = []
    do {
      try probe.reached(.folderMade)
      let contents = try watch.measure("keep") { try keep(captured.frames, in: record) }
      try probe.reached(.framesWritten)
      let (edit, files) = try keepEdit(made.recipe, in: record)
      let proxies = original == .beside ? [DeferredManifest.Output.Content.original, .photo] : [.photo]
      var (outputs, photo) = ([DeferredManifest.Output](), made.photo)
      for (index, content) in proxies.enumerated() {
        let source = record.file(DeferredRecord.proxy(index, StoredExport(maker.export)))
        let isPhoto = content == .photo
        let file = try maker.write(
          made, through: isPhoto ? made.written : Recipe(), to: source, isPhoto ? watch : Stopwatch())
        if isPhoto { photo.take(file) } else { photo.warnings += file.warnings }
        outputs.append(.init(content: content, name: "", proxy: try FileFingerprint(contentsOf: source)))
      }
      try probe.reached(.proxiesWritten)
      let manifest = DeferredManifest(
        captured, outputs: outputs, contents: contents, circumstances, maker, edit: edit, files: files)
      try place(manifest, path, record, &placed)
      photo.path = placed[placed.count - 1]
      photo.original = original == .beside ? placed.first : nil
      (photo.isProxy, photo.deferredID) = (true, id)
      if original == .withRecipe { try Self.saveRecipe(of: made, beside: &photo, catalog: self.edit.catalog) }
      photo.extend(toSeconds: watch.total)
      return photo
    } catch {
      if !(error is DeferralProbe.Ended) {
        for path in placed { unlink(path) }
        record.remove()
        // The folder, if it is empty.
        try? folder.removeLeftovers()
      }
      throw error
    }
  }

  private func keep(_ frames: [PhotoFrame], in record: DeferredRecord) throws -> FileFingerprint {
    try record.write(DeferredRecord.frames) { file in
      for frame in frames { try StoredFrame.write(frame) { try file.write($0) } }
    }
    return try FileFingerprint(contentsOf: record.file(DeferredRecord.frames))
  }

  /// Keeps the files that the edit names, as they were when it was made.
  ///
  /// - Parameter made: the recipe that the proxy was made with, which counts if looks change between photos.
  private func keepEdit(_ made: Recipe, in record: DeferredRecord) throws -> (StoredEdit, FileFingerprint?) {
    let (stored, files): (StoredEdit, FileSnapshot)
    if recipe != nil {
      (stored, files) = (StoredEdit(made), try StoredEdit.files(of: made, catalog: edit.catalog))
    } else {
      (stored, files) = (StoredEdit(edit), self.files)
    }
    guard let archive = try files.archive() else { return (stored, nil) }
    try record.write(DeferredRecord.files) { try $0.write(archive) }
    return (stored, try FileFingerprint(of: archive))
  }

  /// Completes the record, and gives the proxies their names.
  ///
  /// - Parameter placed: their paths.
  private func place(
    _ manifest: DeferredManifest, _ path: String, _ record: DeferredRecord, _ placed: inout [String]
  ) throws {
    var manifest = manifest
    // Another program may take a name in between; what has its name by then keeps it.
    try names.placing(path, of: manifest.settings.number) { path in
      var tried = [path]
      // If it fails here, the names are for the photo that is made at once.
      defer { if placed.count < manifest.outputs.count { tried.forEach(names.giveBack) } }
      for index in manifest.outputs.indices.dropFirst(placed.count) {
        var place = path
        if manifest.outputs[index].content == .original {
          place = names.unused(Self.originalName(path))
          tried.append(place)
        }
        manifest.outputs[index].name = try DeferredPlaces.name(of: place, below: names.folder)
      }
      let bytes = try SealedJSON.encode(manifest)
      // What could not be read again would be lost.
      guard (try? DeferredManifest(bytes, path: record.path)) != nil else {
        throw SafelightError(.unsupported, "Photos of its kind are always finished at once")
      }
      try record.complete(DeferredRecord.manifest, bytes)
      try probe.reached(.manifestWritten)
      for index in manifest.outputs.indices.dropFirst(placed.count) {
        let output = manifest.outputs[index]
        let place = FolderListing.path(output.name, in: names.folder)
        try record.place(DeferredRecord.proxy(index, manifest.export), at: place)
        placed.append(place)
        try probe.reached(output.content == .photo ? .proxyPlaced : .originalProxyPlaced)
      }
    }
  }
}
