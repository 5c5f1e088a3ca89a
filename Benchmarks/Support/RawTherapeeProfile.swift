import Safelight

/// Edits as profiles for RawTherapee.
public enum RawTherapeeProfile {
  /// Exposure, white balance, contrast and a rotation by 2°.
  ///
  /// - Parameters:
  ///   - saturation: from -100 to 100.
  ///   - crop: the part of the rotated picture that is kept, in pixels; nil enlarges it until no corner is
  ///     empty.
  ///   - longEdge: the pixels that the longer edge is reduced to; nil keeps the size.
  public static func text(
    saturation: Int = 0, crop: (left: Int, top: Int, size: PixelSize)? = nil, longEdge: Int? = nil
  ) -> String {
    var text =
      colors(saturation: saturation) + """

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

  private static func colors(saturation: Int) -> String {
    """
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

    """
  }

  /// An edit of exposure, white balance, contrast and saturation, and of what looks at the surroundings or at the place of
  /// pixels: shadows and highlights, local contrast, a vignette, sharpening.
  ///
  /// - Parameter denoises: whether it reduces noise too.
  public static func localTone(denoises: Bool) -> String {
    colors(saturation: 15) + """

      [Shadows & Highlights]
      Enabled=true
      Highlights=40
      HighlightTonalWidth=70
      Shadows=40
      ShadowTonalWidth=30
      Radius=40
      Lab=false

      [Local Contrast]
      Enabled=true
      Radius=80
      Amount=0.2
      Darkness=1
      Lightness=1

      [PCVignette]
      Enabled=true
      Strength=0.6
      Feather=50
      Roundness=50

      [Sharpening]
      Enabled=true
      Contrast=20
      Method=usm
      Radius=1
      Amount=60

      [Directional Pyramid Denoising]
      Enabled=\(denoises)
      Enhance=false
      Median=false
      Luma=50
      Ldetail=50
      Chroma=50
      Method=Lab
      LMethod=SLI
      CMethod=MAN
      SMethod=shal

      """
  }
}
