import Safelight

/// The `--json` output of commands on sidecars: a list with an object for each photo.
extension SidecarReport {
  /// - Parameter sidecar: nil if there is none any more.
  init(
    _ photo: String, _ sidecar: RecipeSidecar?, isChanged: Bool = false, imported: ImportedSettings? = nil
  ) {
    self.init(
      photo, sidecar, flags: sidecar?.recipe.flatMap(RecipeText.flags), isPhotoChanged: isChanged,
      imported: imported)
  }

  /// Runs `body`, then prints what it reported, even if it failed for some photos.
  static func printing(_ isAsked: Bool, _ body: (inout [SidecarReport]) throws -> Void) throws {
    var reports: [SidecarReport] = []
    let outcome = Result { try body(&reports) }
    if isAsked { try Output.json(reports) }
    try outcome.get()
  }

  /// Goes a step back or forward in the edits of photos, and prints what they are then.
  static func printing(
    _ isAsked: Bool, steppingThrough photos: SidecarPhotos, _ step: (String) throws -> RecipeSidecar?
  ) throws {
    try printing(isAsked) { reports in
      try photos.each(edited: true) { photo in
        let sidecar = try step(photo)
        reports.append(SidecarReport(photo, sidecar))
        if !isAsked { Output.done("\(photo)  \(RecipeText.line(sidecar?.recipe))") }
      }
    }
  }

  /// Warns if a photo is not the one that its edit was made for.
  @discardableResult
  static func warnIfChanged(_ photo: String, _ sidecar: RecipeSidecar) throws -> Bool {
    guard try !sidecar.isMade(forPhoto: photo) else { return false }
    Output.warning("\(photo) has changed since its edit was made; check that it still fits")
    return true
  }
}
