import Files
import FilterGraph
import Filters
import FrameCore
import PhotoIO

extension Edit {
  /// The names of the flags that give a lens's numbers.
  private static let lensFlags = Lens.parameters.compactMap(\.flag)

  /// Whether the lens of a photo may be corrected, so that its header is to be read. Photos that cameras have developed are
  /// told by their names here.
  package func mayCorrectLens(of photo: String) -> Bool {
    switch lens {
    case .off: false
    case .automatic, .named: true
    case nil:
      photo.lastIndex(of: ".").map { dot in
        let suffix = photo[photo.index(after: dot)...].lowercased()
        return suffix == "tif" || suffix == "tiff" || !PhotoFileFormat.picturePathExtensions.contains(suffix)
      } ?? true
    }
  }

  /// Returns the recipe for a photo of which nothing but the lens is to be found, and what was found.
  ///
  /// - Throws: as `resolve(_:onto:in:)`.
  package func resolveLens(
    of header: PhotoHeader, onto base: Recipe? = nil, in files: FileSnapshot = FileSnapshot()
  ) throws -> (recipe: Recipe, found: FoundValues?) {
    var found: PhotoLens?
    var recipe = try compose(onto: base, in: files) { own in
      try correctLens(PhotoLensFacts(header), of: &own, found: &found)
    }
    recipe.putLensFirst()
    return (
      recipe, found.map { FoundValues(lens: $0, straightening: nil, kinds: [], values: nil) { _ in true } }
    )
  }

  /// Returns the correction of a photo's lens in the place of those of `recipe`, unless that is to keep its own.
  func correctLens(
    _ photo: PhotoLensFacts, of recipe: inout Recipe, found: inout PhotoLens?
  ) throws -> [any Filter] {
    let isGiven =
      recipe.filters.contains { $0 is Lens } || Self.lensFlags.contains { values.values[$0] != nil }
    guard lens != nil || !isGiven else { return [] }
    if lens != nil { recipe.filters.removeAll { $0 is Lens } }
    found = try PhotoLens(photo, lens)
    return [found?.filter].compactMap { $0 }
  }
}

extension Recipe {
  /// Where filters act in the listed order, a lens comes first: its profile is of the picture that it took.
  mutating func putLensFirst() {
    guard order == .listed, let place = filters.lastIndex(where: { $0 is Lens }) else { return }
    filters.insert(filters.remove(at: place), at: 0)
  }
}
