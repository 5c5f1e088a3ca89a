import ArgumentParser
import Safelight

struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "Lists every filter with its parameters.",
    discussion: """
      Names in recipes, flags of the command line, ranges, units, neutral values, and what
      a control for each parameter needs: slider, step, choices.

      Examples:
        safelight filters
        safelight filters --json
      """)

  @Flag(help: "Print the list as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    let filters = FilterCatalog.standard.descriptions
    if json { return try Output.json(filters) }
    for (index, filter) in filters.enumerated() {
      if index > 0 { Output.line("") }
      Output.line("\(filter.filter)  \(filter.summary)")
      for parameter in filter.parameters {
        let name = parameter.name.padded(to: 12, left: true)
        let flag = (parameter.flag.map { "--" + $0 } ?? "").padded(to: 22, left: true)
        let neutral = parameter.neutral.map { $0.isEmpty ? "" : "  (\($0) by default)" } ?? ""
        let title = parameter.title.padded(to: 11, left: true)
        Output.line("  \(name) \(flag) \(title) \(parameter.syntax)\(neutral)")
        for line in [parameter.help] + parameter.control {
          Output.line("  \("".padded(to: 12)) \(line)")
        }
      }
    }
  }
}

extension ParameterDescription {
  /// What a control for it offers, in a line or none.
  fileprivate var control: [String] {
    if let sliderMinimum, let sliderMaximum, let step, let detent {
      let range = "\(PlainNumber.text(sliderMinimum))…\(PlainNumber.text(sliderMaximum))"
      return [
        "slider: \(range), step \(PlainNumber.text(step)), rests at \(PlainNumber.text(detent))"
          + (scale == .reciprocal ? ", linear in 1/value" : "")
      ]
    }
    if let options = choices ?? suggestions, !options.isEmpty {
      let list = options.map { "\($0.value) (\($0.title))" }.joined(separator: ", ")
      return [(choices == nil ? "suggestions: " : "choices: ") + list]
    }
    if let x, let y, let minimumPoints, let maximumPoints {
      func text(_ axis: AxisDescription) -> String {
        "\(PlainNumber.text(axis.minimum))…\(PlainNumber.text(axis.maximum))"
      }
      return ["points: \(minimumPoints)…\(maximumPoints), x \(text(x)), y \(text(y))"]
    }
    return []
  }
}
