import CSafelight
import Safelight

extension PhotoExport {
  private static let names = [
    "quality", "max-size", "max-bytes", "color-space", "metadata", "copyright", "overwrite",
  ]

  /// - Throws: `SafelightError` if an option is unknown or its value is wrong.
  fileprivate init(_ given: Options) throws {
    self.init()
    var options = given
    if let number = try options.takeNumber("quality", in: 1...100) { quality = Int(number) }
    maximumSize = try options.take("max-size").map { try PixelSize(option: $0, "max-size") }
    maximumBytes = try options.takeNumber("max-bytes", in: 1...1e12).map { Int($0) }
    copyright = try options.take("copyright")
    let spaces = OutputColorSpace.allCases.map { ($0.rawValue, $0) }
    colorSpace =
      try options.take(
        "color-space", as: "colour space", among: Dictionary(uniqueKeysWithValues: spaces)) ?? .keep
    let policies = MetadataPolicy.allCases.map { ($0.rawValue, $0) }
    metadata =
      try options.take(
        "metadata", as: "metadata policy", among: Dictionary(uniqueKeysWithValues: policies)) ?? .keep
    overwrite = try options.takeFlag("overwrite")
    try options.refuseRest(known: Self.names)
  }
}

@_cdecl("safelight_photo_edit")
public func photoEdit(
  _ renderer: OpaquePointer?, _ recipe: OpaquePointer?, _ input: UnsafePointer<CChar>?,
  _ output: UnsafePointer<CChar>?, _ options: UnsafePointer<safelight_option>?, _ count: Int,
  _ error: FailurePlace
) -> UnsafeMutablePointer<CChar>? {
  attempt(error) {
    let (own, edit): (RendererHandle, RecipeHandle) = (
      try Pointers.object(renderer), try Pointers.object(recipe)
    )
    let photo = try Pointers.string(input, "photo")
    let target = try Pointers.string(output, "path of the result")
    var export = try PhotoExport(Options(options, count))
    // Callers that edit several photos at once have a thread for each.
    export.isSequential = own.threads == 1
    let (recipe, found) = try edit.resolved(for: photo)
    let report = try export.run(photo, through: recipe, to: target, renderer: own.renderer, bakes: own.bakes)
    return try Pointers.text(EditReport(report, of: photo, writtenTo: target, found: found).json())
  }
}
