import FrameCore

/// How a mark stands in XMP.
///
/// | property | values | who writes and reads it |
/// |---|---|---|
/// | `xmp:Rating` | -1 rejected, 0…5 stars | all: XMP specification part 2, 2.4 (“XMP namespace”) |
/// | `xmp:Label` | `Red`, `Yellow`, `Green`, `Blue`, `Purple` | Lightroom, Bridge, digiKam, RawTherapee |
/// | `photoshop:LabelColor` | the same in lower case, whatever the language | Lightroom, Bridge |
/// | `digiKam:PickLabel` | 0 none, 1 rejected, 2 pending, 3 accepted | digiKam (dmetadata_labels.cpp) |
/// | `digiKam:ColorLabel` | 0 none, 1 red, 3 yellow, 4 green, 5 blue, 6 magenta | digiKam |
/// | `xmpDM:pick` | -1 rejected, 0 none, 1 picked | Lightroom Classic from 13.2 on |
/// | `xmpDM:good` | `True` picked, `False` rejected | Lightroom; XMP specification part 2, 3.1 |
/// | `darktable:colorlabels` | a Seq of 0 red, 1 yellow, 2 green, 3 blue, 4 purple | darktable |
/// | `safelight:Stars` | 1…5 | the stars of a rejected photo, for which `xmp:Rating` has no room |
///
/// Properties of one program are written only where they are there already, so that they do not contradict; those that
/// several read, always. Labels that are no colour, such as `Winner`, stay until a colour is given.
struct XMPMark: Sendable, Hashable {
  /// Nil where nothing is said.
  var rating: Int?
  var flag: PhotoMark.Flag?
  var color: PhotoMark.Color?

  /// What is said here, and for the rest what the photo says itself.
  func mark(over own: XMPMark) -> PhotoMark {
    PhotoMark(
      rating: rating ?? own.rating ?? 0, flag: flag ?? own.flag ?? .none, color: color ?? own.color ?? .none)
  }
}

/// The names of the properties.
enum MarkProperty {
  static let rating = XMLName("http://ns.adobe.com/xap/1.0/", "Rating")
  static let label = XMLName("http://ns.adobe.com/xap/1.0/", "Label")
  static let labelColor = XMLName("http://ns.adobe.com/photoshop/1.0/", "LabelColor")
  static let sidecarForExtension = XMLName("http://ns.adobe.com/photoshop/1.0/", "SidecarForExtension")
  static let pickLabel = XMLName("http://www.digikam.org/ns/1.0/", "PickLabel")
  static let colorLabel = XMLName("http://www.digikam.org/ns/1.0/", "ColorLabel")
  static let pick = XMLName("http://ns.adobe.com/xmp/1.0/DynamicMedia/", "pick")
  static let good = XMLName("http://ns.adobe.com/xmp/1.0/DynamicMedia/", "good")
  static let colorLabels = XMLName("http://darktable.sf.net/", "colorlabels")
  static let stars = XMLName("urn:safelight:marks/1.0/", "Stars")

  /// The usual prefixes of the namespaces.
  static let prefixes = [
    "http://ns.adobe.com/xap/1.0/": "xmp", "http://ns.adobe.com/photoshop/1.0/": "photoshop",
    "http://www.digikam.org/ns/1.0/": "digiKam", "http://ns.adobe.com/xmp/1.0/DynamicMedia/": "xmpDM",
    "http://darktable.sf.net/": "darktable", "urn:safelight:marks/1.0/": "safelight",
  ]
}

// MARK: Reading

extension XMPMark {
  /// What the properties of a packet say. Values that no program writes say nothing.
  init(_ properties: XMPProperties) {
    func text(_ name: XMLName) -> String? {
      if case .text(let text)? = properties.values[name], !text.isEmpty { text } else { nil }
    }
    func number(_ name: XMLName) -> Double? { text(name).flatMap(AdobeSettings.number) }
    let rated = number(MarkProperty.rating).map { $0.rounded() }
    let stars = number(MarkProperty.stars).map { min(max(Int($0.clamped), 1), 5) }
    if let rated { rating = rated < 0 ? stars ?? 0 : min(Int(rated.clamped), 5) }
    flag = Self.flag(
      pickLabel: number(MarkProperty.pickLabel), pick: number(MarkProperty.pick),
      good: text(MarkProperty.good)?.lowercased())
    if let rated, rated < 0 {
      flag = .reject
    } else if stars != nil, flag == .reject, rated ?? 0 > 0 {
      // Another program took back what was rejected here, and does not know of flags.
      flag = PhotoMark.Flag.none
    }
    var labels: [String]?
    if case .list(let list)? = properties.values[MarkProperty.colorLabels] { labels = list }
    color = Self.color(
      name: text(MarkProperty.labelColor) ?? text(MarkProperty.label),
      digiKam: number(MarkProperty.colorLabel), darktable: labels)
    // An empty label overrides that in the photo.
    if color == nil, case .text("")? = properties.values[MarkProperty.label] { color = PhotoMark.Color.none }
  }

  private static func flag(pickLabel: Double?, pick: Double?, good: String?) -> PhotoMark.Flag? {
    switch pickLabel {
    case 1?: return .reject
    case 3?: return .pick
    case .some: return PhotoMark.Flag.none
    case nil: break
    }
    if let pick { return pick > 0 ? .pick : pick < 0 ? .reject : PhotoMark.Flag.none }
    return good.flatMap { ["true": .pick, "false": .reject][$0] }
  }

  private static func color(name: String?, digiKam: Double?, darktable: [String]?) -> PhotoMark.Color? {
    if let name, let known = PhotoMark.Color(rawValue: name.lowercased()), known != .none { return known }
    if let digiKam, let known = PhotoMark.Color.allCases.first(where: { Double($0.digiKam) == digiKam }) {
      return known
    }
    guard let first = darktable?.first, let index = Int(first), (0..<5).contains(index) else { return nil }
    return PhotoMark.Color.allCases[index + 1]
  }
}

extension Double {
  /// The number, where it fits into whole numbers.
  fileprivate var clamped: Double { Swift.min(Swift.max(self, -1000), 1000) }
}

extension PhotoMark.Color {
  /// The number that digiKam has for it.
  fileprivate var digiKam: Int {
    switch self {
    case .none: 0
    case .red: 1
    case .yellow: 3
    case .green: 4
    case .blue: 5
    case .purple: 6
    }
  }

  /// As Lightroom and Bridge write it; empty for none.
  fileprivate var label: String {
    self == .none ? "" : rawValue.prefix(1).uppercased() + rawValue.dropFirst()
  }
}

// MARK: Writing

extension XMPMark {
  /// Returns what is to be written for a mark.
  ///
  /// - Parameters:
  ///   - change: how the mark came about: what it does not touch is not written.
  ///   - properties: those of the packet.
  ///   - own: what the photo says itself, which the packet must override.
  static func changes(
    for mark: PhotoMark, after change: PhotoMark.Change, in properties: XMPProperties, over own: XMPMark
  ) -> [XMPChange] {
    func has(_ name: XMLName) -> Bool { properties.values[name] != nil }
    let isRejected = mark.flag == .reject
    var changes = [
      XMPChange(MarkProperty.rating, isRejected ? "-1" : "\(mark.rating)"),
      XMPChange(MarkProperty.stars, isRejected && mark.rating > 0 ? "\(mark.rating)" : nil),
    ]
    if change.flag != nil {
      let isFlagged = mark.flag != .none
      if isFlagged || has(MarkProperty.pickLabel) || own.flag != nil {
        changes.append(XMPChange(MarkProperty.pickLabel, isRejected ? "1" : isFlagged ? "3" : "0"))
      }
      if isFlagged || has(MarkProperty.pick) {
        changes.append(XMPChange(MarkProperty.pick, isRejected ? "-1" : isFlagged ? "1" : "0"))
      }
      changes.append(XMPChange(MarkProperty.good, isFlagged ? (isRejected ? "False" : "True") : nil))
    }
    if change.color != nil {
      let color = mark.color
      let isSaid = color != .none || own.color != nil
      changes.append(XMPChange(MarkProperty.label, isSaid ? color.label : nil))
      if has(MarkProperty.labelColor) {
        changes.append(XMPChange(MarkProperty.labelColor, color == .none ? nil : color.rawValue))
      }
      if has(MarkProperty.colorLabel) {
        changes.append(XMPChange(MarkProperty.colorLabel, "\(color.digiKam)"))
      }
      if has(MarkProperty.colorLabels) {
        let index = PhotoMark.Color.allCases.firstIndex(of: color).map { $0 - 1 } ?? -1
        changes.append(XMPChange(MarkProperty.colorLabels, list: index < 0 ? [] : ["\(index)"]))
      }
    }
    return changes
  }
}
