import ColorScience
import Files
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Sidecars

/// What a person asks of an edit: a recipe file, a preset, values, and what is to be found in each photo.
/// `resolve` makes it a recipe for one photo.
///
///     let edit = Edit(preset: "warm-film", strength: 70, values: ["crop": "4:5"], auto: [.exposure])
///     let (recipe, found) = try edit.resolve("harbour.jpg")
///     try await PhotoExport().run("harbour.jpg", through: recipe, to: "out.jpg")
///
/// The recipe consists of the file's filters, then the preset's at its strength, then those that were found or have
/// values. Found values replace those that the file sets, and `values` override both, parameter by parameter.
public struct Edit: Sendable {
  /// The path of a recipe file that the edit begins with.
  public var recipeFile: String?
  /// The part of the recipe file that is used; nil uses all of it.
  public var part: RecipePart?
  /// The id of a preset, shipped or one's own.
  public var preset: String?
  /// Where one's own presets are.
  public var ownPresets = PresetFolder.standard
  /// How much of the preset, and of a table that `values` names, is applied, in percent, 0…100.
  public var strength: Double
  /// Values for parameters.
  public var values: ParameterValues
  /// Groups that are added to the recipe's; the files that their filters name are read when the edit is resolved.
  public var groups: [Group] = []
  /// How the photo is levelled; nil leaves its horizon alone.
  public var straighten: Straightening?
  /// Which lines become upright and level, as if the camera had been held straight; nil leaves them. It levels the photo
  /// too, so `straighten` must be nil.
  public var upright: Upright?
  /// Which lens's distortion and loss of light is undone; nil: of camera raws that of their own lens, unless the recipe has
  /// one, of others none.
  public var lens: LensChoice?
  /// The values to find in each photo.
  public var auto: Set<AutoValues.Kind>
  /// The filters that the recipe file and `values` may use.
  public var catalog: FilterCatalog

  public init(
    recipeFile: String? = nil, part: RecipePart? = nil, preset: String? = nil, strength: Double = 100,
    values: ParameterValues = [:], straighten: Straightening? = nil, auto: Set<AutoValues.Kind> = [],
    catalog: FilterCatalog = .standard
  ) {
    (self.recipeFile, self.part, self.preset, self.strength) = (recipeFile, part, preset, strength)
    (self.values, self.straighten, self.auto, self.catalog) = (values, straighten, auto, catalog)
  }

  /// Whether no edit was asked for.
  public var isEmpty: Bool {
    recipeFile == nil && preset == nil && values.isEmpty && groups.isEmpty && straighten == nil
      && upright == nil && lens == nil && auto.isEmpty
  }

  /// Whether the recipe depends on the photo's pixels, because something is to be found in them.
  package var needsPhoto: Bool { !auto.isEmpty || straighten == .automatic || upright != nil }

  /// Returns the recipe without what is to be found in a photo.
  ///
  /// - Parameters:
  ///   - base: a recipe that the edit is added to, such as the one beside a photo.
  ///   - files: a cache of the recipe file and its tables, so that several photos read them once.
  /// - Throws: `SafelightError` if a file cannot be read, or if a name or a value is wrong.
  public func recipe(onto base: Recipe? = nil, in files: FileSnapshot = FileSnapshot()) throws -> Recipe {
    try compose(onto: base, in: files) { own in
      if lens == .off { own.filters.removeAll { $0 is Lens } }
      return []
    }
  }

  /// Returns the recipe for a photo, and what was found in the photo.
  ///
  /// The photo is decoded at a small size if something is to be found in it, its header is read if its lens may be
  /// corrected, and it is not opened otherwise.
  ///
  /// - Parameters:
  ///   - photo: the path of the photo.
  ///   - base: a recipe that the edit is added to, such as the one beside the photo.
  ///   - files: a cache of the recipe file and its tables, so that several photos read them once.
  /// - Returns: the recipe, and the values found in the photo; nil if nothing was to be found.
  /// - Throws: `SafelightError` if a file cannot be read, or if a name or a value is wrong.
  public func resolve(
    _ photo: String, onto base: Recipe? = nil, in files: FileSnapshot = FileSnapshot()
  ) throws -> (recipe: Recipe, found: FoundValues?) {
    if needsPhoto { return try resolve(PhotoSample(contentsOf: photo), onto: base, in: files) }
    guard mayCorrectLens(of: photo) else { return (try recipe(onto: base, in: files), nil) }
    return try resolve(PhotoFile(photo), onto: base, in: files)
  }

  /// As `resolve(_:onto:in:)` for a photo that is open.
  public func resolve(
    _ photo: PhotoFile, onto base: Recipe? = nil, in files: FileSnapshot = FileSnapshot()
  ) throws -> (recipe: Recipe, found: FoundValues?) {
    guard !needsPhoto else { return try resolve(PhotoSample(photo), onto: base, in: files) }
    return try resolveLens(of: photo.header, onto: base, in: files)
  }

  /// As `resolve(_:onto:in:)` for a photo that has been sampled.
  public func resolve(
    _ sample: PhotoSample, onto base: Recipe? = nil, in files: FileSnapshot = FileSnapshot()
  ) throws -> (recipe: Recipe, found: FoundValues?) {
    var found: AutoValues?
    var corrected: PhotoLens?
    var recipe = try compose(onto: base, in: files) { own in
      let corrections = try correctLens(PhotoLensFacts(sample), of: &own, found: &corrected)
      guard !auto.isEmpty else { return corrections }
      let values = try AutoValues(sample, finding: auto, joining: own, given: values.applied)
      own = own.removing(auto)
      found = values
      return corrections + values.filters
    }
    recipe.putLensFirst()
    guard needsPhoto || corrected != nil else { return (recipe, nil) }
    let levelling = straighten == .automatic ? AutoStraightening(sample, joining: recipe) : nil
    if let levelling { recipe = levelling.joined(to: recipe) }
    let turning = upright.map { AutoUpright(sample, $0, joining: recipe) }
    if let turning { recipe = turning.joined(to: recipe) }
    let kinds = AutoValues.Kind.allCases.filter(auto.contains)
    return (
      recipe,
      FoundValues(lens: corrected, straightening: levelling, upright: turning, kinds: kinds, values: found) {
        !values.contains($0)
      }
    )
  }

  /// - Parameter find: returns filters for the recipe file's contents, from which it may remove filters.
  func compose(
    onto base: Recipe?, in files: FileSnapshot, find: (inout Recipe) throws -> [any Filter]
  ) throws -> Recipe {
    guard straighten == nil || upright == nil else {
      throw SafelightError(
        .invalidValue, "The edit asks for both straighten and upright, which straightens too",
        remedy: "leave one of them out")
    }
    guard (0...100).contains(strength) else {
      throw SafelightError(
        .invalidValue, "strength is \(PlainNumber.text(strength)), outside its range",
        remedy: "give a value in 0…100 %")
    }
    var edit = base ?? Recipe()
    if let own = try readRecipeFile(in: files) {
      // A recipe without a base keeps its name.
      edit = base?.then(own) ?? own
    }
    var found = try find(&edit)
    if case .degrees(let angle)? = straighten { found.append(Straighten(angle)) }
    if let preset = try preset.map({ try PresetLibrary.preset($0, own: ownPresets, in: files) }) {
      edit = edit.then(preset.portableRecipe.scaled(by: strength / 100))
      edit.addName(ofPreset: preset.id, strength: strength)
    }
    let given = try values.filters(strength: strength / 100, catalog: catalog, in: files)
    let merged = try catalog.filters.compactMap { type in
      try found.first { Swift.type(of: $0) == type }.map(values.applied)
        ?? given.first { Swift.type(of: $0) == type }
    }
    let own = try Recipe(filters: groups).loadingFiles(
      from: FilterFiles(pictures: TablePicture.decode) { try ShippedFiles.contents($0, else: files.read) })
    return edit.then(Recipe(filters: merged + own.filters))
  }

  private func readRecipeFile(in files: FileSnapshot) throws -> Recipe? {
    guard let recipeFile else { return nil }
    do {
      let own = try Recipe(contentsOf: recipeFile, in: files, catalog: catalog)
        .locatingFiles(besideRecipe: recipeFile)
      return part?.of(own) ?? own
    } catch let error as SafelightError
      where error.code != .file && recipeFile.lowercased().hasSuffix(".safelight.json")
    {
      throw SafelightError(
        .invalidValue, "\(recipeFile) is the edit beside a photo, not a recipe",
        remedy: "use safelight export, or safelight recipe copy")
    }
  }
}

extension Recipe {
  /// Records the preset's name in the recipe, which its filters alone do not show.
  ///
  /// - Parameter strength: the strength in percent.
  fileprivate mutating func addName(ofPreset preset: String, strength: Double) {
    let text = strength == 100 ? preset : "\(preset) at \(PlainNumber.text(strength)) %"
    description = description.isEmpty ? text : "\(description), \(text)"
    guard name != preset else { return }
    name = name.isEmpty ? preset : "\(name)+\(preset)"
  }
}
