import Safelight

/// What a step of an edit's history changed, in a word.
enum StudioChange {
  /// Returns a title such as “Exposure”, or “3 changes”.
  static func title(from old: StudioEdit, to new: StudioEdit) -> String {
    var titles: [String] = []
    if old.look != new.look { titles.append("Look") }
    for filter in FilterCatalog.standard.filters {
      for parameter in filter.parameters {
        guard let flag = parameter.flag, old.values.values[flag] != new.values.values[flag] else { continue }
        titles.append(
          filter.parameters.first?.flag == flag || filter.parameters.count == 1
            ? filter.title : parameter.title)
      }
    }
    let (oldRest, newRest) = (rest(of: old), rest(of: new))
    if oldRest.groups != newRest.groups { titles.append("Masks") }
    if oldRest.base != newRest.base { titles.append("Earlier edit") }
    return titles.count > 1 ? "\(titles.count) changes" : titles.first ?? "No change"
  }

  private static func rest(of edit: StudioEdit) -> (base: String, groups: String) {
    (edit.base.json(), Recipe(filters: edit.groups).json())
  }
}
