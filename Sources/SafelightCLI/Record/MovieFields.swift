import Safelight

extension MovieNames.Fields {
  /// What the fields stand for in the name of a movie of a source.
  ///
  /// - Parameter preset: the name of the look; nil without one.
  init(of source: LiveSource, _ input: any CaptureInput, preset: String?) {
    self.init()
    stem = source.videoPath?.fileStem
    self.preset = preset
    camera = source.isFile ? nil : input.name
  }
}
