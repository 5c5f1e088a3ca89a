import FilterGraph
import FrameCore

extension Group {
  /// Creates a group from the text form of command lines, a mask and the flags of filters without their dashes:
  ///
  ///     linear 0.5,0.6 0.5,0.3: exposure -1, saturation 20, opacity 80
  ///
  /// The files that filters name are not read yet.
  ///
  /// - Parameter catalog: the filters whose flags may be named.
  /// - Throws: `SafelightError` that names the place in the mask, the flag or the filter that is wrong.
  public init(_ text: String, catalog: FilterCatalog = .standard) throws {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      throw SafelightError(
        .invalidValue, "“\(NearestName.shortened(text))” has no colon between the mask and its filters",
        remedy: "write MASK: FILTERS, such as “\(Self.example)”")
    }
    self.init(try Mask(String(halves[0])), filters: [])
    for setting in Self.settings(halves[1]) {
      let words = setting.split(separator: " ", maxSplits: 1)
      guard let name = words.first else { continue }
      guard words.count == 2 else {
        throw SafelightError(
          .invalidValue, "“\(NearestName.shortened(String(name)))” has no value",
          remedy: "write it like “exposure -1”; commas separate filters")
      }
      try set(String(name.drop { $0 == "-" }), to: Self.trimmed(words[1]), catalog)
    }
    guard !nestedFilters.isEmpty else {
      throw SafelightError(
        .invalidValue, "“\(NearestName.shortened(text))” names no filters behind its colon",
        remedy: "write MASK: FILTERS, such as “\(Self.example)”")
    }
    // What cannot be in a group is refused at once; tables are missing here.
    let recipe = Recipe(filters: [self])
    guard recipe.files.isEmpty else { return }
    _ = try Plan(
      recipe, input: PlanInput(size: PixelSize(width: 16, height: 16)), output: PlanOutput(), optimized: false
    )
  }

  private static let example = "linear 0.5,0.6 0.5,0.3: exposure -1, saturation 20"

  /// Splits settings at commas. Flags begin with letters, so a part that begins with a number goes on with the value
  /// before it: `curve 0,0 0.3,0.2 1,1, fade 40`.
  private static func settings(_ text: Substring) -> [Substring] {
    var settings: [Substring] = []
    for part in text.split(separator: ",") {
      let start = part.drop { $0 == " " || $0 == "-" || $0 == "." }
      if start.first?.isNumber ?? false, let last = settings.popLast() {
        settings.append(text[last.startIndex..<part.endIndex])
      } else {
        settings.append(part)
      }
    }
    return settings
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }

  /// Sets the parameter that has a flag, in the filter that there is for it or in a new one.
  private mutating func set(_ flag: String, to text: String, _ catalog: FilterCatalog) throws {
    let opacity = "opacity"
    if flag == opacity, let parameter = Self.parameters.first(where: { $0.name == opacity }) {
      try parameter.set(.text(parameter.withoutUnit(text)), in: &self)
      return
    }
    let type = catalog.filters.first { $0.parameters.contains { $0.flag == flag } }
    guard let type, let parameter = type.parameters.first(where: { $0.flag == flag }) else {
      let names = catalog.filters.filter { !$0.phase.isGeometry }.flatMap { $0.parameters.compactMap(\.flag) }
      throw NearestName.error(unknown: "setting", flag, among: names + [opacity])
    }
    func changed<F: Filter>(_ filter: F) throws -> any Filter {
      var filter = filter
      try parameter.set(.text(parameter.withoutUnit(text)), in: &filter)
      return filter
    }
    if let index = nestedFilters.firstIndex(where: { Swift.type(of: $0) == type }) {
      let known = nestedFilters[index]
      nestedFilters[index] = try changed(known)
    } else {
      let new = type.init()
      nestedFilters.append(try changed(new))
    }
  }
}
