import CSafelight
import Safelight

@_cdecl("safelight_filters")
public func filters() -> UnsafeMutablePointer<CChar>? {
  (try? FilterCatalog.standard.descriptions.json()).flatMap(Pointers.text)
}

@_cdecl("safelight_presets")
public func presets(_ error: FailurePlace) -> UnsafeMutablePointer<CChar>? {
  attempt(error) {
    let own = try PresetFolder.standard.map { folder in try folder.ids.map { try folder.preset($0) } }
    return Pointers.text(try (PresetLibrary.all() + (own ?? [])).map(PresetDescription.init).json())
  } ?? nil
}

@_cdecl("safelight_spaces")
public func spaces() -> UnsafeMutablePointer<CChar>? {
  (try? ReportText.json(Spaces.all.map(\.name))).flatMap(Pointers.text)
}
