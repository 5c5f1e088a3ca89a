import ArgumentParser
import Safelight

/// `vision`: what `safelight-vision` can look for here, and how it is confined.
struct VisionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vision",
    abstract: "Says what codes, faces and text can be found with, and how that is confined.",
    discussion: """
      Codes, faces and text are found by a program of its own, safelight-vision,
      because its libraries read strangers' pictures. It gets pictures in memory,
      may allocate a bounded amount of it, and can open no files, no connections and
      no other programs where the kernel has Landlock and seccomp.

      Exit codes: 0; 1 if the program is missing or cannot be started.

      Examples:
        safelight vision
        safelight vision --json
      """)

  @Option(
    help: ArgumentHelp(
      "The language of text, as Tesseract names it: eng, deu+eng", valueName: "name"))
  var language = "eng"

  @Flag(help: "Print everything as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    // What is missing is told beside what is there.
    let report = try VisionWorker(
      VisionWorker.Options(Set(VisionAbility.allCases), language: language)
    ).inventory()
    guard !json else { return try Output.json(report) }
    Output.entry(report.program)
    for ability in VisionAbility.allCases {
      guard let found = report.abilities[ability.name] else { continue }
      let text = found.isReady ? found.detail : "cannot be found: \(found.problem ?? found.detail)"
      Output.entry("  \(ability.name.padded(to: 18, left: true))\(text)")
    }
    for (name, state) in report.confinement.sorted(by: { $0.key < $1.key }) {
      Output.entry("  \(name.padded(to: 18, left: true))\(state)")
    }
  }
}
