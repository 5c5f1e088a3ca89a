import Libc
import Safelight

/// About how large the file of an export would be.
enum StudioEstimate {
  /// Pixels of the picture that is written to find out.
  private static let trial = PixelSize(width: 1600, height: 1600)
  /// Large pictures have less detail in each pixel: their files grow a little slower than their area.
  private static let exponent = 0.94

  /// - Parameter full: the size of the result.
  /// - Returns: bytes.
  /// - Throws: `SafelightError` if the trial cannot be written.
  static func bytes(
    _ photo: String, _ recipe: Recipe, _ options: StudioExport, full: PixelSize, renderer: CPURenderer
  ) throws -> Int {
    var export = options.export
    if !full.fits(into: trial) { export.maximumSize = trial }
    export.metadata = .strip
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = FolderListing.path("trial." + (options.format.pathExtensions.first ?? "jpg"), in: folder.path)
    let report = try export.run(photo, through: recipe, to: path, renderer: renderer)
    let ratio = Double(full.pixelCount) / Double(report.outputSize.pixelCount)
    return Int((Double(report.bytes) * pow(ratio, exponent)).rounded())
  }
}
