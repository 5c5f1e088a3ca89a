/// The HTML elements shared by the sections of a page.
enum ProfilePageHTML {
  /// - Parameters:
  ///   - id: unique on the page.
  ///   - lead: the message of the section, in a sentence.
  static func section(_ id: String, _ title: String, lead: String = "", body: String) -> String {
    let sentence = lead.isEmpty ? "" : "<p class=\"lead\">\(ProfilePlotText.escaped(lead))</p>\n"
    return """
      <section aria-labelledby="\(id)-title">
      <h2 id="\(id)-title">\(ProfilePlotText.escaped(title))</h2>
      \(sentence)\(body)</section>

      """
  }

  /// Returns a section with a plot, and its values as a collapsed table.
  static func section(_ title: String, lead: String, plot: ProfilePlot, values: String) -> String {
    section(
      plot.id, title, lead: lead,
      body: plot.html + "<details><summary>Values</summary>\n\(values)</details>\n")
  }

  /// - Parameter texts: the number of columns, from the left, that hold text; the others hold numbers.
  static func table(_ columns: [String], texts: Int = 1, _ rows: [[String]]) -> String {
    func cells(_ row: [String], _ tag: String) -> String {
      row.enumerated().map { column, text in
        let name = column < texts ? "" : " class=\"n\""
        let cell = column == 0 && tag == "td" ? "th scope=\"row\"" : tag == "th" ? "th scope=\"col\"" : tag
        let end = column == 0 ? "th" : tag
        return "<\(cell)\(name)>\(ProfilePlotText.escaped(text))</\(end)>"
      }.joined()
    }
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
      <thead><tr>\(cells(columns, "th"))</tr></thead>
      <tbody>
      \(rows.map { "<tr>\(cells($0, "td"))</tr>\n" }.joined())</tbody>
      </table></div>

      """
  }

  /// Returns a list of names and values.
  static func facts(_ facts: [(name: String, value: String)]) -> String {
    let items = facts.map {
      "<div><dt>\(ProfilePlotText.escaped($0.name))</dt><dd>\(ProfilePlotText.escaped($0.value))</dd></div>\n"
    }
    return "<dl class=\"facts\">\n\(items.joined())</dl>\n"
  }
}
