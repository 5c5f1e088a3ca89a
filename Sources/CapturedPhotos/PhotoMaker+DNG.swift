import Capture
import Editing
import Files
import FilterGraph
import FrameCore
import PhotoIO

extension PhotoMaker {
  /// Checks that a photo can be a digital negative: the samples of one frame, to which no edit is applied.
  ///
  /// - Returns: the mosaic.
  /// - Throws: `SafelightError(.unsupported)`.
  func mosaic(of frame: PhotoFrame, isMerged: Bool, _ recipe: Recipe) throws -> BayerMosaic {
    guard !isMerged else {
      throw SafelightError(
        .unsupported, "Merged frames are developed, and a DNG holds the samples of one",
        remedy: "ask for another quality, or for another format")
    }
    guard original == .withRecipe || recipe.filters.isEmpty else {
      throw SafelightError(
        .unsupported, "A DNG holds the sensor's own samples, to which no edit can be applied",
        remedy: "keep the edit beside it, or ask for another format")
    }
    guard let mosaic = frame.mosaic else {
      throw SafelightError(
        .unsupported, "The source sends finished pictures, and a DNG is made of a sensor's mosaic",
        remedy: "ask the camera for a Bayer format, or take photos of another format")
    }
    return mosaic
  }

  /// Writes the samples of the sensor.
  func write(
    _ mosaic: BayerMosaic, _ frame: Frame, _ facts: CaptureFacts, to path: String, _ watch: Stopwatch
  ) throws -> DeliveredPhoto.File {
    var watch = watch
    var sensor = SensorColor()
    (sensor.transfer, sensor.neutral) = (mosaic.transfer, mosaic.neutral)
    let warnings = try watch.measure("write") {
      try mosaic.withPicture {
        try DNGWriter.write($0, to: path, facts, sensor: sensor, orientation: frame.orientation)
      }
    }
    var file = DeliveredPhoto.File(size: frame.orientation.applied(to: mosaic.size), watch, at: path)
    file.bytes = FileVersion(path)?.length ?? 0
    file.warnings = warnings
    return file
  }
}
