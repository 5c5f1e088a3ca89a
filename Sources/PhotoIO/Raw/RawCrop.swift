import CLibRaw
import FrameCore

/// The visible part of the picture that LibRaw delivers.
///
/// LibRaw delivers the sensor's active area. A DNG specifies the part to be shown; the rest only provides
/// neighbours for interpolation at the edges.
struct RawCrop {
  let origin: (x: Int, y: Int)
  let size: PixelSize
  private let area: PixelSize

  private init(origin: (x: Int, y: Int), size: PixelSize, area: PixelSize) {
    (self.origin, self.size, self.area) = (origin, size, area)
  }

  /// - Parameters:
  ///   - info: the description at full size.
  ///   - tiff: the file, if it is a TIFF.
  ///
  /// Source: DNG 1.4, DefaultCropOrigin and DefaultCropSize, relative to the top left corner of ActiveArea. Values
  /// that extend outside the area are ignored; fractions are rounded to whole pixels.
  init(_ info: clibraw_info, _ tiff: TIFFFile?) {
    area = PixelSize(width: Int(info.width), height: Int(info.height))
    if info.is_dng, let tiff, let crop = Self.defaultCrop(tiff),
      crop[0] + crop[2] <= Double(area.width) + 0.5,
      crop[1] + crop[3] <= Double(area.height) + 0.5
    {
      let (x, y) = (Int(crop[0].rounded()), Int(crop[1].rounded()))
      let width = min(Int(crop[2].rounded()), area.width - x)
      let height = min(Int(crop[3].rounded()), area.height - y)
      if width > 0, height > 0 {
        origin = (x, y)
        size = PixelSize(width: width, height: height)
        return
      }
    }
    origin = (0, 0)
    size = area
  }

  /// Returns the same part of a reduced picture.
  func scaled(to info: clibraw_info) -> RawCrop {
    guard info.is_half_size else { return self }
    let origin = (x: origin.x / 2, y: origin.y / 2)
    let half = PixelSize(
      width: min((size.width + 1) / 2, Int(info.width) - origin.x),
      height: min((size.height + 1) / 2, Int(info.height) - origin.y))
    return RawCrop(
      origin: origin, size: half, area: PixelSize(width: Int(info.width), height: Int(info.height)))
  }

  /// Returns left, top, width and height of the main picture's crop.
  private static func defaultCrop(_ tiff: TIFFFile) -> [Double]? {
    guard let first = tiff.directory(at: tiff.firstDirectory) else { return nil }
    // NewSubfileType 0 denotes the main picture.
    let main = ([first] + tiff.subdirectories(of: first)).first {
      ($0[.newSubfileType].flatMap(tiff.integers)?.first ?? 0) == 0
    }
    guard let main, let origin = main[.defaultCropOrigin].flatMap(tiff.numbers), origin.count == 2,
      let size = main[.defaultCropSize].flatMap(tiff.numbers), size.count == 2
    else { return nil }
    // Far beyond any sensor, but safely convertible to Int.
    guard (origin + size).allSatisfy({ (0...1_000_000).contains($0) }) else { return nil }
    return origin + size
  }
}
