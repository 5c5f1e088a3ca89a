import CSafelight
import Safelight

/// An edit that C holds: what was asked for, and the recipe unless values are to be found in each picture.
final class RecipeHandle: Handle, @unchecked Sendable {
  override class var name: String { "recipe" }

  private let edit: Edit
  /// What the edit begins with.
  private let base: Recipe?
  private let files: FileSnapshot
  /// Nil if values are open.
  private let fixed: Recipe?
  /// Whether the recipe came from a picture or from beside a photo, where no lens is to be found any more.
  private let isComplete: Bool
  let found: FoundValues?

  /// Whether values are to be found in each picture.
  var needsPicture: Bool { fixed == nil }

  /// - Throws: `SafelightError` if a name or a value is wrong, or a file cannot be read.
  init(_ given: Options) throws {
    var options = given
    let files = FileSnapshot()
    self.files = files
    base = try options.take("json").map { text in
      try Recipe(
        json: Array(text.utf8), file: "the recipe", catalog: .standard, pictures: TablePicture.decode
      ) { try ShippedFiles.contents($0, else: files.read) }
    }
    var edit = Edit()
    edit.recipeFile = try options.take("recipe")
    edit.preset = try options.take("preset")
    edit.strength = try options.takeNumber("strength", in: 0...100) ?? 100
    edit.groups = try options.takeAll("masked").map { try Group($0) }
    edit.auto = try Set(options.take("auto").map(AutoValues.Kind.list(of:)) ?? [])
    edit.straighten = try options.take("straighten").map(Straightening.init)
    edit.upright = try options.take("upright").map(Upright.init)
    edit.lens = try options.take("lens").map(LensChoice.init)
    edit.values = ParameterValues(try options.rest().mapValues { .text($0) })
    self.edit = edit
    fixed = edit.needsPhoto ? nil : try edit.recipe(onto: base, in: files)
    (found, isComplete) = (nil, false)
  }

  /// - Parameter found: what was found for the recipe in a picture.
  init(_ recipe: Recipe, found: FoundValues? = nil) {
    (edit, base, files, fixed, self.found) = (Edit(), nil, FileSnapshot(), recipe, found)
    isComplete = true
  }

  /// The recipe.
  ///
  /// - Throws: `SafelightError` if values are open.
  var recipe: Recipe {
    get throws {
      guard let fixed else {
        throw SafelightError(
          .invalidValue, "The recipe leaves values open that are to be found in a picture",
          remedy: "resolve it for a picture first")
      }
      return fixed
    }
  }

  /// Returns the recipe for a picture.
  func resolved(for image: Image) throws -> RecipeHandle {
    if fixed != nil { return self }
    let frame = try image.measurable()
    let (recipe, found) = try edit.resolve(
      PhotoSample(frame, named: "the picture"), onto: base, in: files)
    return RecipeHandle(recipe, found: found)
  }

  /// Returns the recipe for a photo file, whose lens may be corrected too, and what was found in it.
  func resolved(for photo: String) throws -> (recipe: Recipe, found: FoundValues?) {
    if let fixed, isComplete { return (fixed, found) }
    return try edit.resolve(photo, onto: base, in: files)
  }
}

extension AutoValues.Kind {
  /// - Parameter text: names separated by commas, or `all`.
  /// - Throws: `SafelightError` that suggests the nearest name.
  static func list(of text: String) throws -> [AutoValues.Kind] {
    try text.split(separator: ",", omittingEmptySubsequences: false).flatMap { part -> [Self] in
      if part == "all" { return allCases }
      guard let kind = Self(rawValue: String(part)) else {
        throw NearestName.error(
          unknown: "automatic value", String(part), among: allCases.map(\.rawValue) + ["all"])
      }
      return [kind]
    }
  }
}

extension Image {
  /// The picture as the engine sees it, on this memory where that is possible, else a copy.
  ///
  /// - Precondition: the memory outlives the buffer.
  func buffer() throws -> PixelBuffer {
    try samples.buffer(tags: space.tags, alpha: format.hasAlpha ? .straight : .opaque)
  }

  /// The picture for analyses, which take integers that are encoded for a display.
  func measurable() throws -> Frame {
    var buffer = try buffer()
    if !buffer.format.isInteger || space.transfer.contains(.linear) {
      let renderer = CPURenderer()
      let input = PlanInput(size: size, format: format.engine, space: space, alpha: buffer.alpha)
      let output = PlanOutput(format: .rgba16, space: .sRGB)
      buffer = try renderer.render(
        buffer, through: renderer.plan(Recipe(), input: input, output: output))
    }
    return Frame(buffer: buffer, orientation: orientation)
  }
}

@_cdecl("safelight_recipe_create")
public func recipeCreate(_ options: UnsafePointer<safelight_option>?, _ count: Int, _ error: FailurePlace)
  -> OpaquePointer?
{
  attempt(error) { Pointers.owned(try RecipeHandle(Options(options, count))) }
}

@_cdecl("safelight_recipe_of_photo")
public func recipeOfPhoto(_ photo: UnsafePointer<CChar>?, _ error: FailurePlace) -> OpaquePointer? {
  attempt(error) {
    Pointers.owned(RecipeHandle(try RecipeSidecar.recipe(forPhoto: Pointers.string(photo, "photo"))))
  }
}

@_cdecl("safelight_recipe_keep")
public func recipeKeep(_ recipe: OpaquePointer?, _ photo: UnsafePointer<CChar>?, _ error: FailurePlace)
  -> Bool
{
  succeeds(error) {
    let own: RecipeHandle = try Pointers.object(recipe)
    try RecipeSidecar.save(own.recipe, forPhoto: Pointers.string(photo, "photo"), .set)
  }
}

@_cdecl("safelight_recipe_needs_picture")
public func recipeNeedsPicture(_ recipe: OpaquePointer?) -> Bool {
  (try? Pointers.object(recipe, as: RecipeHandle.self).needsPicture) ?? false
}

@_cdecl("safelight_recipe_resolve")
public func recipeResolve(
  _ recipe: OpaquePointer?, _ image: UnsafePointer<safelight_image>?, _ error: FailurePlace
) -> OpaquePointer? {
  attempt(error) {
    let own: RecipeHandle = try Pointers.object(recipe)
    return Pointers.owned(try own.resolved(for: Image(image)))
  }
}

@_cdecl("safelight_recipe_found")
public func recipeFound(_ recipe: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
  guard let own = try? Pointers.object(recipe, as: RecipeHandle.self), let found = own.found else {
    return nil
  }
  return try? Pointers.text(found.json())
}

@_cdecl("safelight_recipe_json")
public func recipeJSON(_ recipe: OpaquePointer?, _ error: FailurePlace) -> UnsafeMutablePointer<CChar>? {
  attempt(error) {
    let own: RecipeHandle = try Pointers.object(recipe)
    return try Pointers.text(own.recipe.json())
  }
}

@_cdecl("safelight_recipe_destroy")
public func recipeDestroy(_ recipe: OpaquePointer?) { Pointers.release(recipe, as: RecipeHandle.self) }
