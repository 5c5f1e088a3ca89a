import FilterGraph
import Filters
import FrameCore
import Libc

/// The closest equivalent of darktable's modules, and what became of each of their parameters.
///
/// | module | versions | filter |
/// |---|---|---|
/// | exposure | 2…7 | exposure: the same stops; a black level is ignored |
/// | rgbcurve | 1 | curve, or curves of channels |
/// | tonecurve | 3…5 | curve or luminance curve; those of a and b are ignored |
/// | colorbalancergb | 1…5 | grading, saturation, vibrance, contrast, hue |
/// | sigmoid | 1…3 | tone map: contrast |
/// | vibrance | 2 | vibrance |
///
/// Sources: the structures of parameters in darktable's modules, as facts of the format, which were checked against files
/// written by darktable. A module in a mask of its own is ignored, as are all others, by name.
struct DarktableImport {
  private(set) var recipe = Recipe()
  private(set) var report = ImportedSettings()

  init(_ style: DarktableStyle) {
    var filters: [any Filter] = []
    for module in style.modules where module.isEnabled && !Self.isPlumbing(module) {
      let strength = Self.strength(of: module)
      switch strength {
      case .whole: filters += read(module)
      case .part(let part):
        filters += read(module).map { $0.scaled(by: part) }
        approximate(
          module, "opacity", PlainNumber.text((part * 100).rounded()), "the numbers are scaled by it")
      case .masked: ignore(module, "it acts in a mask of darktable's")
      case .mixed: ignore(module, "it is mixed in a way that is not known here")
      }
    }
    recipe = Recipe(filters: Self.merged(filters))
  }

  /// What is in every pipeline and changes nothing by itself.
  private static let plumbing: Set<String> = [
    "rawprepare", "demosaic", "colorin", "colorout", "gamma", "finalscale", "mask_manager", "highlights",
    "scalepixels",
  ]

  private static func isPlumbing(_ module: DarktableStyle.Module) -> Bool {
    plumbing.contains(module.operation)
  }

  // MARK: Blending

  private enum Strength {
    case whole, masked, mixed
    case part(Double)
  }

  /// How much of a module is used: its blending begins with whether and where it is mixed.
  private static func strength(of module: DarktableStyle.Module) -> Strength {
    guard !module.blending.isEmpty, module.blendVersion > 0 else { return .whole }
    guard let blend = DarktableParameters(module.blending), blend.count > 0 else { return .mixed }
    // Until version 5 the first field is the mode of blending, 0 for none.
    guard module.blendVersion >= 6 else { return blend.integer(0) & 0x7F == 0 ? .whole : .mixed }
    let mode = blend.integer(0)
    guard mode & 1 == 1 else { return .whole }
    guard mode == 1 else { return .masked }
    // From version 10 on, the colour space is before the mode, and a parameter behind it.
    let isNew = module.blendVersion >= 10
    let (kind, opacity) = (blend.integer(isNew ? 2 : 1), blend.number(isNew ? 4 : 2))
    guard [1, 24].contains(kind), (0...100).contains(opacity) else { return .mixed }
    return opacity == 100 ? .whole : .part(opacity / 100)
  }

  // MARK: Saying what became of them

  private func setting(
    _ module: DarktableStyle.Module, _ name: String, _ value: String, _ reason: String?
  ) -> ImportedSettings.Setting {
    let label = module.instance == 0 ? module.operation : "\(module.operation)[\(module.instance)]"
    return ImportedSettings.Setting(
      name: String((name.isEmpty ? label : "\(label).\(name)").prefix(ImportedSettings.longestValue)),
      value: value, reason: reason)
  }

  mutating func exact(_ module: DarktableStyle.Module, _ name: String, _ value: String) {
    report.exact.append(setting(module, name, value, nil))
  }

  mutating func approximate(
    _ module: DarktableStyle.Module, _ name: String, _ value: String, _ reason: String? = nil
  ) {
    report.approximate.append(setting(module, name, value, reason))
  }

  mutating func ignore(
    _ module: DarktableStyle.Module, _ name: String = "", _ value: String = "", _ reason: String
  ) {
    report.ignored.append(setting(module, name, value, reason))
  }

  private mutating func ignore(_ module: DarktableStyle.Module, _ reason: String) {
    ignore(module, "", "", reason)
  }

  static func text(_ number: Double) -> String { PlainNumber.text((number * 10_000).rounded() / 10_000) }

  // MARK: Modules

  private static let reasons = [
    "temperature": "its numbers are gains of one camera",
    "filmicrgb": "camera raws have a tone map of their own here",
    "basecurve": "camera raws have a tone map of their own here",
    "crop": "a look has no crop", "clipping": "a look has no crop", "ashift": "a look turns nothing",
    "flip": "a look turns nothing", "lens": "lenses are corrected from a database here",
    "channelmixerrgb": "its adaptation is to the light of one photo", "lut3d": "the table is not in the file",
  ]

  private mutating func read(_ module: DarktableStyle.Module) -> [any Filter] {
    guard !module.label.hasPrefix("_builtin_") else {
      ignore(module, "darktable applies it to every photo by itself")
      return []
    }
    guard let sizes = Self.sizes[module.operation] else {
      ignore(module, Self.reasons[module.operation] ?? "no such module here")
      return []
    }
    guard let size = sizes[module.version] else {
      ignore(module, "version \(module.version) of its parameters is not known here")
      return []
    }
    guard let parameters = DarktableParameters(module.parameters), parameters.count == size else {
      ignore(module, "its parameters are damaged")
      return []
    }
    switch module.operation {
    case "exposure": return exposure(module, parameters)
    case "rgbcurve": return rgbCurve(module, parameters)
    case "tonecurve": return toneCurve(module, parameters)
    case "colorbalancergb": return colorBalance(module, parameters)
    case "sigmoid": return sigmoid(module, parameters)
    case "vibrance":
      let amount = min(max(parameters.number(0), 0), 100)
      guard amount != 0 else { return [] }
      approximate(module, "amount", Self.text(amount))
      return [Vibrance(Float(amount))]
    default: return []
    }
  }

  /// The number of fields of each version of a module's parameters.
  private static let sizes: [String: [Int: Int]] = [
    "exposure": [2: 3, 3: 5, 4: 6, 5: 5, 6: 6, 7: 7], "rgbcurve": [1: 129],
    "tonecurve": [3: 128, 4: 129, 5: 130],
    "colorbalancergb": [1: 24, 2: 28, 3: 29, 4: 32, 5: 33], "sigmoid": [1: 6, 2: 13, 3: 14],
    "vibrance": [2: 1],
  ]

  private mutating func exposure(
    _ module: DarktableStyle.Module, _ parameters: DarktableParameters
  ) -> [any Filter] {
    // The mode comes first from version 4 on.
    let hasMode = module.version >= 4
    if hasMode && parameters.integer(0) != 0 || module.version == 3 && parameters.integer(2) != 0 {
      ignore(module, "", "", "it is found in each photo, by --auto exposure here")
      return []
    }
    let (black, stops) = (parameters.number(hasMode ? 1 : 0), parameters.number(hasMode ? 2 : 1))
    if black != 0 { ignore(module, "black", Self.text(black), "exposure has no black level here") }
    guard stops != 0 else { return [] }
    guard (-5...5).contains(stops) else {
      ignore(module, "exposure", Self.text(stops), "exposure is -5…5 EV here")
      return []
    }
    let rounded = (stops * 1000).rounded() / 1000
    if black == 0 {
      exact(module, "exposure", Self.text(rounded))
    } else {
      approximate(module, "exposure", Self.text(rounded))
    }
    return [Exposure(stops: Float(rounded))]
  }

  private mutating func sigmoid(
    _ module: DarktableStyle.Module, _ parameters: DarktableParameters
  ) -> [any Filter] {
    let (contrast, skew) = (parameters.number(0), parameters.number(1))
    if skew != 0 { ignore(module, "contrast_skewness", Self.text(skew), "the tone map has no skew here") }
    approximate(module, "middle_grey_contrast", Self.text(contrast), "of camera raws only")
    let kept = Float((min(max(contrast, 0.5), 3) * 100).rounded() / 100)
    let filter = ToneMap(contrast: kept)
    return filter == ToneMap() ? [] : [filter]
  }

  /// Joins filters of which a recipe has one: what several instances of exposure do adds up.
  private static func merged(_ filters: [any Filter]) -> [any Filter] {
    let stops = filters.compactMap { ($0 as? Exposure)?.stops }
    guard stops.count > 1 else { return filters }
    let total = min(max(stops.reduce(0, +), -5), 5)
    return [Exposure(stops: total)] + filters.filter { !($0 is Exposure) }
  }
}
