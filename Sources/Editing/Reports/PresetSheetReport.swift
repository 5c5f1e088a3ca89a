import FilterGraph
import FrameCore

/// A contact sheet of presets that was written, as `safelight presets sheet --json` prints it.
public struct PresetSheetReport: JSONReport, Hashable {
  /// The path of the sheet.
  public var output: String
  /// The size of the sheet in pixels.
  public var width: Int
  public var height: Int
  /// The time from reading the photo to the finished file, to the microsecond.
  public var milliseconds: Double
  public var warnings: [String]

  /// - Parameters:
  ///   - size: the size of the sheet that `PresetSheet.render` returned.
  ///   - seconds: the time from reading the photo to the finished file.
  public init(_ size: PixelSize, writtenTo output: String, seconds: Double, warnings: [String] = []) {
    self.output = output
    (width, height) = (size.width, size.height)
    milliseconds = PlainNumber.rounded(seconds * 1000)
    self.warnings = warnings
  }
}
