import ArgumentParser
import Safelight

extension PresetExport.Format: ExpressibleByArgument {}

extension PresetsCommand {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Writes looks for other people and programs.",
      usage: "safelight presets export [<options>] <name> ... -o <out>",
      discussion: """
        The extension decides: .json is a recipe with its tables beside it, which
        “presets import” reads; .cube is a table of the look's colours, as of “recipe
        to-lut”; .xmp is a preset of Lightroom and Camera Raw, with a list of what
        becomes of each parameter there. Of several looks, or into a folder, --format
        decides.

        Exit codes: 0; 1 if a look cannot be written, after writing the others.

        Examples:
          safelight presets export noir -o noir.json
          safelight presets export noir -o noir.xmp
          safelight presets export silver warm-film -o looks/ --format cube
        """)

    @Argument(help: "The looks' names", completion: .list(PresetLibrary.ids))
    var names: [String]

    @Option(
      name: .shortAndLong, help: ArgumentHelp("A file, or a folder", valueName: "out"), completion: .file())
    var output: String

    @Option(help: ArgumentHelp("In folders: json, cube or xmp (default: json)", valueName: "format"))
    var format: PresetExport.Format?

    @Flag(help: "Leave out of tables filters that they cannot have")
    var leaveOutLocal = false

    @OptionGroup
    var replacing: OverwriteOption

    @Flag(help: "Print what was written as JSON")
    var json = false

    @OptionGroup
    var verbosity: VerbosityOptions

    func run() throws {
      let presets = try names.map { try PresetLibrary.preset($0, own: .standard) }
      let isFolder = names.count > 1 || output.hasSuffix("/") || FileContents.kind(of: output) == .folder
      if names.count > 1, !output.hasSuffix("/"), (try? PresetExport.format(of: output)) != nil {
        throw SafelightError(
          .invalidValue, "\(output) is one file, and there are \(names.count) looks",
          remedy: "name a folder, and the kind of files with --format")
      }
      var outputs = OutputFiles(overwrite: replacing.overwrite)
      let paths = try presets.map { preset in
        guard isFolder else {
          let own = try PresetExport.format(of: output)
          guard format == nil || format == own else {
            throw SafelightError(
              .invalidValue, "\(output) is not a .\(format?.rawValue ?? "") file",
              remedy: "leave --format out")
          }
          return output
        }
        return FileContents.path("\(preset.id).\((format ?? .json).rawValue)", in: output)
      }
      for path in paths { try outputs.write(path, "--output") }
      if isFolder { try Folder.makeWithParents(output) }
      let export = PresetExport(overwrite: replacing.overwrite, leavesOutLocal: leaveOutLocal)
      var reports: [PresetExportReport] = []
      var batch = PhotoBatch(presets.map(\.id))
      batch.forEach { index, _ in
        let report = try export.write(presets[index], to: paths[index])
        reports.append(report)
        if !json { Self.tell(report) }
      }
      if json { try Output.json(reports) }
      try batch.finish()
    }

    private static func tell(_ report: PresetExportReport) {
      if !report.leftOut.isEmpty {
        Output.warning("\(report.file) does not have \(report.leftOut.joined(separator: ", "))")
      }
      let tables = report.tables.isEmpty ? "" : "  with \(report.tables.joined(separator: ", "))"
      Output.done("\(report.file)\(tables)")
      for line in report.settings.map(ImportText.lines) ?? [] { Output.done(line) }
    }
  }
}
