/// What is to be known of samples that are the light of a scene, as a camera raw's: they are shown through a tone map,
/// never as they are.
public struct SceneLight: Sendable, Hashable {
  /// How much brighter the scene is shown than its samples are, in EV: so much light that a grey card that was exposed
  /// as the camera's meter says becomes middle grey, 0.18.
  public var exposure: Float
  /// What the file itself asks for of `exposure`; the rest is what sensors keep in hand for highlights.
  public var asked: Float
  /// The sample at which the first channel of the sensor was full; brighter samples were found in the others.
  public var white: Float
  /// How the file itself shows light, at the exposure that it asks for: points from (0, 0) to (1, 1), x increasing. Empty
  /// if it does not say.
  public var toneCurve: [SIMD2<Float>]
  /// The sensitivity that the camera was set to, which tells how much noise there is; nil if unknown.
  public var iso: Float?

  public init(
    exposure: Float, asked: Float, white: Float, toneCurve: [SIMD2<Float>] = [], iso: Float? = nil
  ) {
    (self.exposure, self.asked, self.white) = (exposure, asked, white)
    (self.toneCurve, self.iso) = (toneCurve, iso)
  }
}
