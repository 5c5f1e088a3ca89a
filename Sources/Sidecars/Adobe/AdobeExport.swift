import FilterGraph
import Filters
import FrameCore
import Libc

/// A look as a preset of Lightroom and Camera Raw, and what became of each of its parameters.
///
/// What `AdobeImport` reads becomes the same filters again, up to whole numbers. What Lightroom has not, such as tables and
/// films, is listed as ignored.
public struct AdobeExport: Sendable {
  /// The file: XMP in UTF-8.
  public let xmp: [UInt8]
  /// What became of each parameter that is not neutral, by the filter's name and its own: `contrast.amount`.
  public let report: ImportedSettings

  /// - Parameters:
  ///   - recipe: its files need not be loaded.
  ///   - name: the display name of the preset.
  public init(_ recipe: Recipe, name: String) {
    var writer = AdobeWriter()
    if recipe.order == .listed {
      writer.ignore("order", "listed", "Lightroom has an order of its own")
    }
    var kinds: Set<FilterID> = []
    for filter in recipe.filtersInPlanOrder {
      if kinds.insert(type(of: filter).id).inserted {
        writer.write(filter)
      } else {
        writer.ignore(filter, "there is one of a kind there")
      }
    }
    report = writer.report
    xmp = Array(writer.xmp(name: name, group: recipe.labels.family).utf8)
  }
}

/// Collects settings.
struct AdobeWriter {
  private(set) var report = ImportedSettings()
  private var attributes: [(name: String, value: String)] = []
  private var curves: [(name: String, points: [SIMD2<Double>])] = []

  // MARK: Writing settings

  private static func parameter(_ filter: any Filter, _ name: String) -> ImportedSettings.Setting {
    let parameter = type(of: filter).parameters.first { $0.name == name }
    return ImportedSettings.Setting(
      name: "\(type(of: filter).id.name).\(name)",
      value: String(
        (parameter.map { $0.value(in: filter).description } ?? "").prefix(ImportedSettings.longestValue)))
  }

  mutating func ignore(_ name: String, _ value: String, _ reason: String) {
    report.ignored.append(ImportedSettings.Setting(name: name, value: value, reason: reason))
  }

  /// Says of all parameters of a filter that they are not written.
  mutating func ignore(_ filter: any Filter, _ reason: String) {
    for parameter in type(of: filter).parameters where !parameter.isNeutral(in: filter) {
      ignore(filter, parameter.name, reason)
    }
  }

  mutating func ignore(_ filter: any Filter, _ name: String, _ reason: String) {
    var setting = Self.parameter(filter, name)
    setting.reason = reason
    report.ignored.append(setting)
  }

  mutating func set(_ name: String, _ text: String) { attributes.append((name, text)) }

  /// Writes a whole number, unless it is neutral.
  mutating func set(
    _ setting: String, _ number: Float, of filter: any Filter, _ parameter: String, neutral: Float = 0
  ) {
    guard number != neutral else { return }
    guard number.rounded() != neutral else {
      return ignore(filter, parameter, "less than a step there")
    }
    set(setting, Self.signed(Double(number.rounded())))
    report.approximate.append(Self.parameter(filter, parameter))
  }

  mutating func noteExact(_ filter: any Filter, _ parameter: String) {
    report.exact.append(Self.parameter(filter, parameter))
  }

  mutating func note(_ filter: any Filter, _ parameter: String) {
    report.approximate.append(Self.parameter(filter, parameter))
  }

  var curvesAreEmpty: Bool { curves.isEmpty }

  mutating func setCurve(_ name: String, _ points: [SIMD2<Double>]) { curves.append((name, points)) }

  /// `+12`, as Adobe writes numbers.
  static func signed(_ number: Double, decimals: Int = 0) -> String {
    let text = decimals == 0 ? PlainNumber.text(number) : PlainNumber.fixed(number, decimals)
    return number > 0 ? "+" + text : text
  }

  // MARK: The file

  func xmp(name: String, group: String) -> String {
    let body = settings.joined()
    var lines = [
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\" x:xmptk=\"Safelight\">",
      " <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">",
      "  <rdf:Description rdf:about=\"\"", "    xmlns:crs=\"\(AdobeSettings.namespace)\"",
      "   crs:PresetType=\"Normal\"", "   crs:Cluster=\"\"",
      "   crs:UUID=\"\(Self.identifier(name + body))\"",
      "   crs:SupportsAmount=\"False\"", "   crs:SupportsColor=\"True\"",
      "   crs:SupportsMonochrome=\"True\"",
      "   crs:SupportsHighDynamicRange=\"True\"", "   crs:SupportsNormalDynamicRange=\"True\"",
      "   crs:SupportsSceneReferred=\"True\"", "   crs:SupportsOutputReferred=\"True\"",
      "   crs:Version=\"15.0\"",
      "   crs:ProcessVersion=\"11.0\"",
    ]
    lines += settings
    lines[lines.count - 1] += ">"
    lines += Self.localized("Name", name) + Self.localized("Group", group)
    for curve in curves {
      lines += ["   <crs:\(curve.name)>", "    <rdf:Seq>"]
      lines += curve.points.map { "     <rdf:li>\(Self.code($0.x)), \(Self.code($0.y))</rdf:li>" }
      lines += ["    </rdf:Seq>", "   </crs:\(curve.name)>"]
    }
    lines += ["  </rdf:Description>", " </rdf:RDF>", "</x:xmpmeta>", ""]
    return lines.joined(separator: "\n")
  }

  private var settings: [String] {
    (attributes + [("HasSettings", "True")]).map { "   crs:\($0.name)=\"\(Self.escaped($0.value))\"" }
  }

  private static func code(_ tone: Double) -> Int { Int((tone * 255).rounded()) }

  private static func localized(_ tag: String, _ text: String) -> [String] {
    [
      "   <crs:\(tag)>", "    <rdf:Alt>", "     <rdf:li xml:lang=\"x-default\">\(escaped(text))</rdf:li>",
      "    </rdf:Alt>", "   </crs:\(tag)>",
    ]
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  /// 32 hexadecimal digits that are the same for the same preset: FNV-1a of 64 bits, forwards and backwards.
  private static func identifier(_ text: String) -> String {
    func hash(_ bytes: some Sequence<UInt8>) -> String {
      let hash = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      let digits = String(hash, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return hash(text.utf8) + hash(text.utf8.reversed())
  }
}
