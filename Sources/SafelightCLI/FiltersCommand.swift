import ArgumentParser
import Safelight

struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "Lists every filter with its parameters.",
    discussion: """
      Names in recipes, flags of the command line, ranges, units and neutral values.

      Examples:
        safelight filters
        safelight filters --json
      """)

  @Flag(help: "Print the list as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    if json { return try Output.json(FilterCatalog.all.map(FilterReport.init)) }
    for (index, filter) in FilterCatalog.all.enumerated() {
      if index > 0 { Output.line("") }
      Output.line("\(filter.id.name)  \(filter.summary)")
      for parameter in filter.parameters {
        let name = parameter.name.padded(to: 12, left: true)
        let flag = (parameter.flag.map { "--" + $0 } ?? "").padded(to: 22, left: true)
        var text = parameter.syntax
        if case .number(_, let neutral, _) = parameter.kind {
          text += "  (\(PlainNumber.text(neutral)) by default)"
        }
        if case .text(_, let neutral?) = parameter.kind { text += "  (\(neutral) by default)" }
        Output.line("  \(name) \(flag) \(text)")
        Output.line("  \("".padded(to: 12)) \(parameter.help)")
      }
    }
  }
}

private struct FilterReport: Encodable {
  struct ParameterReport: Encodable {
    let name: String
    let flag: String?
    let kind: String
    let minimum: Double?
    let maximum: Double?
    let neutral: String?
    let unit: String?
    let syntax: String
    let help: String
  }
  let filter: String
  let summary: String
  let parameters: [ParameterReport]

  init(_ type: any Filter.Type) {
    filter = type.id.name
    summary = type.summary
    parameters = type.parameters.map { parameter in
      switch parameter.kind {
      case .number(let range, let neutral, let unit):
        ParameterReport(
          name: parameter.name, flag: parameter.flag, kind: "number", minimum: range.lowerBound,
          maximum: range.upperBound, neutral: PlainNumber.text(neutral),
          unit: unit == .none ? nil : unit.rawValue,
          syntax: parameter.syntax, help: parameter.help)
      case .text(let syntax, let neutral):
        ParameterReport(
          name: parameter.name, flag: parameter.flag, kind: "text", minimum: nil, maximum: nil,
          neutral: neutral,
          unit: nil, syntax: syntax, help: parameter.help)
      case .file(let syntax):
        ParameterReport(
          name: parameter.name, flag: parameter.flag, kind: "file", minimum: nil, maximum: nil, neutral: nil,
          unit: nil, syntax: syntax, help: parameter.help)
      }
    }
  }
}
