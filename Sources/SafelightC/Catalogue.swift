import CSafelight
import Safelight

@_cdecl("safelight_filters")
public func filters() -> UnsafeMutablePointer<CChar>? {
  try? Pointers.text(FilterCatalog.standard.descriptions.json())
}

@_cdecl("safelight_presets")
public func presets(_ error: FailurePlace) -> UnsafeMutablePointer<CChar>? {
  attempt(error) {
    let own = try PresetFolder.standard.map { folder in try folder.ids.map { try folder.preset($0) } }
    return try Pointers.text((PresetLibrary.all() + (own ?? [])).map(PresetDescription.init).json())
  }
}

@_cdecl("safelight_spaces")
public func spaces() -> UnsafeMutablePointer<CChar>? {
  try? Pointers.text(ReportText.json(Spaces.all.map(\.name)))
}
