import ArgumentParser
import Safelight

extension PresetsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists the looks, all or those of a kind.",
      usage: "safelight presets list [<options>]",
      discussion: """
        Families are what looks are akin to: portrait-negative, slide, cine-print …
        Tags are words such as soft or night. Of several, a look has to have all.

        Examples:
          safelight presets list --family slide
          safelight presets list --tag people --tag soft
          safelight presets list --json
        """)

    @Option(
      help: ArgumentHelp("Only looks of this family", valueName: "name"),
      completion: .list(LookFamily.allCases.map(\.rawValue)))
    var family: String?

    @Option(name: .customLong("tag"), help: ArgumentHelp("Only looks with this tag", valueName: "word"))
    var tags: [String] = []

    @Flag(help: "Print the list as JSON")
    var json = false

    @OptionGroup
    var verbosity: VerbosityOptions

    func run() throws {
      let own = try PresetFolder.standard.map { folder in try folder.ids.map { try folder.preset($0) } }
      let all = try PresetLibrary.all() + (own ?? [])
      try check(all)
      let presets = all.filter { preset in
        (family == nil || preset.labels.family == family)
          && tags.allSatisfy { preset.labels.tags.contains($0) }
      }
      if json { return try Output.json(presets.map(PresetDescription.init)) }
      let width = presets.map(\.id.count).max() ?? 0
      for preset in presets {
        let text = preset.description.isEmpty && preset.isOwn ? "Your own" : preset.description
        Output.line("\(preset.id.padded(to: width, left: true))  \(text)")
      }
    }

    /// Refuses families and tags that no look has.
    private func check(_ presets: [Preset]) throws {
      func known(_ names: [String]) -> [String] { Set(names).subtracting([""]).sorted() }
      let families = known(presets.map(\.labels.family) + LookFamily.allCases.map(\.rawValue))
      if let family, !families.contains(family) {
        throw NearestName.error(unknown: "family", family, among: families)
      }
      let words = known(presets.flatMap(\.labels.tags))
      for tag in tags where !words.contains(tag) {
        throw NearestName.error(unknown: "tag", tag, among: words)
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Prints a look as a recipe, and what it does.",
      discussion: """
        The recipe is a starting point for your own look. A table of it stays in the
        program and is named safelight:luts/….

        When to use it, and its character as measured on greys and a ColorChecker,
        are printed on standard error, so that a file gets the recipe alone.

        Examples:
          safelight presets show noir
          safelight presets show noir > mine.json
          safelight edit in.jpg -o out.jpg --recipe mine.json
        """)

    @Argument(help: "The look's name", completion: .list(PresetLibrary.ids))
    var name: String

    @Flag(help: "Print the recipe and the character as JSON")
    var json = false

    @OptionGroup
    var verbosity: VerbosityOptions

    func run() throws {
      let report = try PresetReport(PresetLibrary.preset(name, own: .standard))
      if json { return try Output.json(report) }
      Output.line(report.recipe, terminator: "")
      if !report.preset.use.isEmpty { Output.note("Use: \(report.preset.use)") }
      Output.note("Measured: \(report.character.text).")
    }
  }
}
