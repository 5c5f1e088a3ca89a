/// Whether the brightness of successive frames has come to rest.
struct BrightnessStability {
  /// The largest change of mean luma between frames that counts as stable, as a fraction of full scale.
  static let largestChange = 0.015
  /// The number of consecutive small changes required.
  static let calmChanges = 2

  private var former: Double?
  private var calm = 0

  /// Records a frame.
  ///
  /// - Parameters:
  ///   - meanLuma: 0…1.
  ///   - change: the largest change that counts as stable.
  ///   - counts: whether a frame like this one may be stable at all.
  mutating func isStable(_ meanLuma: Double, within change: Double = largestChange, counts: Bool = true)
    -> Bool
  {
    if let former { calm = abs(meanLuma - former) <= change && counts ? calm + 1 : 0 }
    former = meanLuma
    return calm >= Self.calmChanges
  }
}
