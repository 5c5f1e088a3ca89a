import Safelight

/// An edit as a profile for RawTherapee: exposure, white balance, contrast and a rotation by 2°.
public enum RawTherapeeProfile {
  /// - Parameters:
  ///   - saturation: from -100 to 100.
  ///   - crop: the part of the rotated picture that is kept, in pixels; nil enlarges it until no corner is
  ///     empty.
  ///   - longEdge: the pixels that the longer edge is reduced to; nil keeps the size.
  public static func text(
    saturation: Int = 0, crop: (left: Int, top: Int, size: PixelSize)? = nil, longEdge: Int? = nil
  ) -> String {
    var text = """
      [Version]
      AppVersion=5.9
      Version=348

      [Exposure]
      Auto=false
      Compensation=0.3
      Contrast=10
      Saturation=\(saturation)

      [White Balance]
      Enabled=true
      Setting=Custom
      Temperature=6900
      Green=1

      [Common Properties for Transformations]
      Method=log
      AutoFill=\(crop == nil)

      [Rotation]
      Degree=-2

      """
    if let crop {
      text += """

        [Crop]
        Enabled=true
        X=\(crop.left)
        Y=\(crop.top)
        W=\(crop.size.width)
        H=\(crop.size.height)
        FixedRatio=false

        """
    }
    if let longEdge {
      text += """

        [Resize]
        Enabled=true
        Scale=1
        AppliesTo=Cropped area
        Method=Lanczos
        DataSpecified=3
        Width=\(longEdge)
        Height=\(longEdge)
        AllowUpscaling=false

        """
    }
    return text
  }
}
