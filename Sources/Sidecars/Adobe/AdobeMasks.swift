import FilterGraph
import Filters
import FrameCore

extension AdobeImport {
  /// The photo that masks are drawn on: Adobe places them on the picture as stored, before its orientation.
  struct Frame {
    var size: PixelSize
    var orientation: Orientation
  }
}

// Corrections under gradients: groups of filters under masks.
extension AdobeImport.Draft {
  /// The lists of corrections that may hold gradients; those of `PaintBasedCorrections` are strokes.
  private static let lists = [
    "MaskGroupBasedCorrections", "GradientBasedCorrections", "CircularGradientBasedCorrections",
  ]

  /// Returns a group for each correction whose masks are linear and radial gradients.
  ///
  /// All of it is approximate: Adobe's gradients fade the sliders, ours fade what the sliders do.
  ///
  /// - Parameter frame: nil of a preset, whose circles are then those of a photo of 3:2.
  mutating func groups(_ frame: AdobeImport.Frame?) throws -> [any Filter] {
    var groups: [any Filter] = []
    for list in Self.lists {
      guard case .structures(let corrections)? = settings.values[list] else { continue }
      use(list)
      for (index, correction) in corrections.enumerated() {
        let name = "\(list)[\(index)]"
        if let group = try group(correction, name, frame, isOld: list.hasPrefix("Circular")) {
          groups.append(group)
        }
      }
    }
    return groups
  }

  private mutating func group(
    _ correction: [String: XMPProperties.Value], _ name: String, _ frame: AdobeImport.Frame?, isOld: Bool
  ) throws -> Group? {
    let fields = Fields(correction, name, settings.file)
    let title = fields.text("CorrectionName") ?? ""
    func ignored(_ reason: String) -> ImportedSettings.Setting {
      ImportedSettings.Setting(
        name: name, value: String(title.prefix(ImportedSettings.longestValue)), reason: reason)
    }
    guard fields.flag("CorrectionActive") ?? true else { return nil }
    var sliders = LocalSliders(fields)
    let filters = try sliders.filters()
    guard !filters.isEmpty || !sliders.ignored.isEmpty else { return nil }
    guard !filters.isEmpty else {
      for setting in sliders.ignored { ignorePart(setting) }
      return nil
    }
    guard case .structures(let parts)? = correction["CorrectionMasks"], !parts.isEmpty else {
      ignorePart(ignored("it has no mask that is known here"))
      return nil
    }
    var mask: Mask?
    for (index, part) in parts.enumerated() {
      let fields = Fields(part, "\(name).CorrectionMasks[\(index)]", settings.file)
      guard fields.flag("MaskActive") ?? true else { continue }
      switch try AdobeGradient(fields, frame, isOld: isOld) {
      case .mask(let gradient, let subtracts):
        mask =
          mask.map { subtracts ? .subtract($0, [gradient]) : .add([$0, gradient]) }
          ?? (subtracts ? .invert(gradient) : gradient)
      case .unknown(let reason):
        ignorePart(ignored(reason))
        return nil
      }
    }
    guard let mask else { return nil }
    do {
      try mask.validate()
    } catch let error as SafelightError {
      // Such as that of a click without a drag.
      ignorePart(ignored(error.problem))
      return nil
    }
    for setting in sliders.used { notePart(setting) }
    for setting in sliders.ignored { ignorePart(setting) }
    if frame == nil, mask.hasRadial {
      notePart(
        ImportedSettings.Setting(
          name: "\(name).CorrectionMasks", value: "", reason: "circles as in a photo of 3:2"))
    }
    let opacity = try fields.number("CorrectionAmount", in: 0...2) ?? 1
    return Group(mask, opacity: Float(min(opacity, 1) * 100), filters: filters)
  }
}

extension Mask {
  fileprivate var hasRadial: Bool {
    switch self {
    case .radial: true
    case .linear, .luminance, .color, .brush, .polygon: false
    case .add, .intersect, .subtract, .invert, .feather: parts.contains(where: \.hasRadial)
    }
  }
}

/// The fields of a structure in a file's settings.
struct Fields {
  let values: [String: XMPProperties.Value]
  /// Where they are: `MaskGroupBasedCorrections[0]`
  let place: String
  let file: String

  init(_ values: [String: XMPProperties.Value], _ place: String, _ file: String) {
    (self.values, self.place, self.file) = (values, place, file)
  }

  func text(_ name: String) -> String? {
    if case .text(let text)? = values[name] { text } else { nil }
  }

  /// Nil if absent.
  func flag(_ name: String) -> Bool? { text(name).map { ["true", "1"].contains($0.lowercased()) } }

  /// - Throws: `SafelightError` that names the place if it is no number, or outside `range`.
  func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = AdobeSettings.number(text), range.contains(number) else {
      throw SafelightError(
        .corruptData, "\(file): crs:\(place).\(name) is “\(NearestName.shortened(text))”",
        remedy:
          "it is a number in \(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))")
    }
    return number
  }
}
