import Capture
import FrameAnalysis
import FrameCore

/// An exposure of a bracket, as it was taken.
public struct DeliveredExposure: Sendable, Hashable, Codable {
  /// What was asked for, in stops (EV) from the exposure before the bracket.
  public var askedStops: Double
  /// The nearest that the camera has, in stops.
  public var stops: Double
  /// In seconds; nil if the camera does not tell it.
  public var exposureSeconds: Double?
  /// In the driver's unit; nil if the camera does not tell it.
  public var gain: Int?
  /// What made the exposure: `exposureTime`, `exposureBias` or `gain`.
  public var means: BracketedExposure.Means
  /// What the brightness did: `settled`, `unsettled`, `unchanged` or `unlikeBefore`.
  public var brightness: BracketedExposure.Brightness
  /// How far a fused exposure was shifted, in pixels: across, then down; nil if it was not fused, or no shift was found.
  public var shift: [Int]?
  /// The path of the exposure, if it was kept beside a fused photo.
  public var path: String?

  init(_ exposure: BracketedExposure, shift: PictureShift? = nil) {
    (askedStops, stops) = (exposure.askedStops, PlainNumber.rounded(exposure.stops, 3))
    (exposureSeconds, gain) = (exposure.values.exposureSeconds, exposure.values.gain)
    (means, brightness) = (exposure.means, exposure.brightness)
    self.shift = shift.flatMap { $0.isFound ? [$0.x, $0.y] : nil }
  }
}
