import ArgumentParser
import Safelight

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Measures photos: exposure, clipping, colour cast, sharpness, noise, horizon.",
    discussion: """
      lightness  histogram of OKLab L, black at the left, white at the right
      exposure   average light above middle grey (0.18 of white), in EV
      contrast   standard deviation of OKLab L, 0…0.5
      range      OKLab L from the 1st to the 99th percentile
      clipping   highlights: pixels with a channel at full scale;
                 shadows: pixels with all channels at zero;
                 large photos are measured smaller, where less is clipped
      cast       the light as --auto white-balance sees it: 6500 K and Duv 0 have
                 no cast, fewer kelvin are warm, a Duv above 0 is greenish,
                 below 0 pinkish
      sharpness  0 (soft) … 0.5 (detail at every size) … 1 (single pixels alone),
                 seen at 640 pixels
      noise      standard deviation at 640 pixels, in percent of full scale
      horizon    see “safelight help horizon”

      Exit codes: 0; 1 where a photo cannot be read, after measuring the others.

      Examples:
        safelight analyze harbour.jpg
        safelight analyze harbour.jpg --scopes scopes.png
        safelight analyze photos/*.jpg --scopes scopes/
        safelight analyze photos/*.jpg --json
      """)

  @Argument(help: ArgumentHelp("The photos; names that begin with - go after --", valueName: "photo"))
  var photos: [String]

  @Option(
    help: ArgumentHelp(
      "Draw histogram, waveform, RGB parade and vectorscope: a .png, .jpg … or, for several photos, a folder",
      valueName: "out"))
  var scopes: String?

  @OptionGroup
  var files: OverwriteOption

  @Flag(help: "Print everything as a JSON list, with the histograms")
  var json = false

  func run() throws {
    let target = scopes.map {
      PictureTarget(flag: "--scopes", suffix: "-scopes.png", path: $0, overwrite: files.overwrite)
    }
    let pictures = try target?.paths(for: photos)
    let table = photos.count > 1 && !json ? AnalysisTable(photos) : nil
    var batch = PhotoBatch(photos)
    var reports: [AnalysisReport] = []
    batch.forEach { index, photo in
      let sample = try PhotoSample(contentsOf: photo)
      let analysis = try PhotoAnalysis(sample)
      if let pictures {
        try ScopesPicture(sample, title: "\(photo.fileName) · \(sample.size)").render()
          .write(to: pictures[index], overwrite: files.overwrite)
      }
      if json {
        reports.append(AnalysisReport(photo, analysis, scopes: pictures?[index]))
        return
      }
      for warning in analysis.warnings { Output.warning("\(photo): \(warning)") }
      if let table {
        table.print(photo, analysis)
      } else {
        AnalysisText(photo, analysis).print()
        if let pictures { Output.line("  scopes      \(pictures[index])") }
      }
    } failed: { photo, error in
      reports.append(AnalysisReport(photo, error: error))
    }
    if json { try Output.json(reports) }
    if table != nil, let target { Output.line("scopes in \(target.path)") }
    try batch.finish()
  }
}
