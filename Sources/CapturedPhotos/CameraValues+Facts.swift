import Capture
import FrameCore
import PhotoIO

extension CaptureFacts {
  /// The circumstances of a photo just taken.
  ///
  /// - Parameters:
  ///   - moment: when its frame was captured, on CLOCK_MONOTONIC.
  ///   - values: the camera's controls; nil if the source has none.
  init(at moment: Timestamp, camera: String?, values: CameraValues?) {
    self.init(date: Date(at: moment), camera: camera)
    uniqueID = Self.makeUniqueID()
    guard let values else { return }
    exposureTime = values.exposureSeconds.flatMap { $0 > 0 ? $0 : nil }
    exposureBias = values.exposureBias
    exposureMode = values.exposureMode.map { $0 == .automatic ? .automatic : .manual }
    iso = values.iso.map { Int($0.rounded()) }.flatMap { (1...65_535).contains($0) ? $0 : nil }
    whiteBalance = values.whiteBalanceMode.map { $0 == .automatic ? .automatic : .manual }
    // What an automatic mode has set is known to few cameras; a number that was set is sure.
    if values.whiteBalanceMode != .automatic { colorTemperature = values.whiteBalanceKelvin.map(Double.init) }
    digitalZoom = values.zoomFactor.flatMap { $0 >= 1 ? $0 : nil }
  }
}
