import ArgumentParser
import Safelight

/// `--flag`: the verdicts that select photos.
enum AnalysisFlag: String, CaseIterable {
  case blurred, soft, under, over, clipped, noisy
  case duplicateNames = "duplicate-names"
  /// Any of them.
  case any
  /// None of them: the keepers.
  case none

  static let words = allCases.map(\.rawValue).joined(separator: ", ")

  /// The verdicts that the flag stands for.
  var verdicts: [PhotoVerdict] {
    switch self {
    case .blurred: [.blurred]
    case .soft: [.soft]
    case .under: [.underexposed]
    case .over: [.overexposed]
    case .clipped: [.highlightsClipped, .shadowsClipped]
    case .noisy: [.noisy]
    case .duplicateNames, .any, .none: []
    }
  }

  /// - Parameter text: names separated by commas.
  static func list(_ text: String) throws -> [AnalysisFlag] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let flag = Self(rawValue: String(name)) else {
        throw ValidationError(
          NearestName.error(unknown: "flag", String(name), among: allCases.map(\.rawValue)).description)
      }
      return flag
    }
  }
}

/// `--sort`: the measurement that orders photos, worst first.
enum AnalysisOrder: String, CaseIterable {
  case sharpness, exposure, contrast, clipping, noise, name

  static let words = allCases.map(\.rawValue).joined(separator: ", ")

  static func parse(_ text: String) throws -> AnalysisOrder {
    guard let order = Self(rawValue: text) else {
      throw ValidationError(
        NearestName.error(unknown: "order", text, among: allCases.map(\.rawValue)).description)
    }
    return order
  }

  /// The lowest comes first; nil if the measurement is missing.
  private func rank(_ photo: AnalyzedPhoto) -> Double? {
    guard let analysis = photo.analysis else { return nil }
    return switch self {
    case .sharpness: analysis.edges.edgeWidth.map { -$0 }
    case .exposure: analysis.tone.exposure
    case .contrast: analysis.tone.contrast
    case .clipping: -(analysis.clipping.highlights + analysis.clipping.shadows)
    case .noise: -analysis.noise
    case .name: nil
    }
  }

  func isKnown(of photo: AnalyzedPhoto) -> Bool { self == .name || rank(photo) != nil }

  /// Nil if the order does not distinguish them.
  func precedes(_ a: AnalyzedPhoto, _ b: AnalyzedPhoto) -> Bool? {
    guard self != .name else {
      let (first, second) = (a.path.fileName.lowercased(), b.path.fileName.lowercased())
      return first == second ? nil : naturallyPrecedes(first, second)
    }
    switch (rank(a), rank(b)) {
    case (let first?, let second?): return first == second ? nil : first < second
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): return nil
    }
  }
}
