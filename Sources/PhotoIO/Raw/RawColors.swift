import CLibRaw
import ColorScience

/// Takes balanced colours of a sensor to linear Rec. 2020: recovers what was full, applies the camera's matrix and the
/// table of its profile.
struct RawColors {
  /// From the sensor's colours, by columns, to Rec. 2020, or ahead of a table to ROMM RGB; the fourth row is 0.
  private let columns: [SIMD4<Float>]
  private let table: HueSatMap?
  private let recovery: HighlightRecovery?

  /// From ROMM RGB to what is stored, by columns.
  private let stored: [SIMD3<Float>]
  /// Whether the matrix is LibRaw's or the file's, and not that of no camera.
  let isCalibrated: Bool

  /// - Parameters:
  ///   - white: the sample of the light that fills the first channel.
  /// - Returns: nil if the matrix or the levels are no numbers that a camera has.
  init?(_ developed: clibraw_picture, _ info: clibraw_info, profile: CameraProfile, white: Float) {
    let colors = Int(info.colors)
    let romm = ColorSpace.proPhoto.matrix(to: .linearRec2020)
    table = colors == 3 ? profile.hueSatMap : nil
    // The matrix expects what the camera took for white, and LibRaw may not have believed it.
    let forward = colors == 3 && !developed.is_daylight ? profile.toD50 : nil
    isCalibrated = forward != nil || developed.has_matrix
    var scale = white
    if colors == 3, let pixels = developed.pixels {
      let full = SIMD3(developed.full.0, developed.full.1, developed.full.2)
      guard (0..<3).allSatisfy({ full[$0].isFinite && full[$0] > 0 }) else { return nil }
      recovery = HighlightRecovery(pixels, width: Int(info.width), height: Int(info.height), levels: full)
      scale = white * 65_535 / full.min()
    } else {
      recovery = nil
    }
    let target: Matrix3x3 = table == nil ? .identity : romm.inverse
    let toRec2020 =
      forward.map { matrix in romm * ColorSpace.proPhoto.toXYZ.inverse * matrix }.map(Self.columns)
      ?? Self.columns(of: developed, colors: colors)
    // Tables want 1 where the sensor is full.
    let unit = table == nil ? scale : scale / (white * 65_535)
    columns = toRec2020.map { column in
      let moved = target * column
      return SIMD4(Float(moved.x), Float(moved.y), Float(moved.z), 0) * unit
    }
    stored = Self.columns(romm).map { SIMD3<Float>($0) * (white * 65_535) }
    // Far above any camera's, and no sum of three products overflows.
    guard columns.allSatisfy({ column in (0..<3).allSatisfy { abs(column[$0]) < 1e4 } }) else { return nil }
  }

  private static func columns(_ matrix: Matrix3x3) -> [SIMD3<Double>] {
    [matrix * SIMD3(1, 0, 0), matrix * SIMD3(0, 1, 0), matrix * SIMD3(0, 0, 1), .zero]
  }

  /// Returns LibRaw's matrix to linear Rec. 2020, by columns.
  private static func columns(of picture: clibraw_picture, colors: Int) -> [SIMD3<Double>] {
    // A sensor without colour filters records grey in its only channel.
    guard colors > 1 else { return [SIMD3(1, 1, 1), .zero, .zero, .zero] }
    let toWorking = ColorSpace.linearSRGB.matrix(to: .linearRec2020)
    let rows = picture.srgb_from_camera
    func element(_ row: (Float, Float, Float, Float), _ index: Int) -> Double {
      Double([row.0, row.1, row.2, row.3][index])
    }
    return (0..<4).map { channel in
      guard channel < colors else { return .zero }
      return toWorking * SIMD3(element(rows.0, channel), element(rows.1, channel), element(rows.2, channel))
    }
  }

  /// Converts pixels to 16-bit R G B A. Colours outside the space are clipped per channel.
  ///
  /// - Parameters:
  ///   - row: pixels of four samples.
  ///   - x, y: the first one's place in LibRaw's picture.
  func convert(
    _ row: UnsafePointer<UInt16>, count: Int, x: Int, y: Int, to rgba: UnsafeMutablePointer<UInt16>
  ) {
    row.withMemoryRebound(to: SIMD4<UInt16>.self, capacity: count) { row in
      rgba.withMemoryRebound(to: SIMD4<UInt16>.self, capacity: count) { rgba in
        if let table {
          let (red, green, blue) = (stored[0], stored[1], stored[2])
          convert(row, count, x, y, rgba) { light in
            let moved = table.apply(SIMD3(light.x, light.y, light.z))
            return SIMD4(red * moved.x + green * moved.y + blue * moved.z, 0)
          }
        } else {
          convert(row, count, x, y, rgba) { $0 }
        }
      }
    }
  }

  @inline(__always)
  private func convert(
    _ row: UnsafePointer<SIMD4<UInt16>>, _ count: Int, _ left: Int, _ y: Int,
    _ rgba: UnsafeMutablePointer<SIMD4<UInt16>>, _ finish: (SIMD4<Float>) -> SIMD4<Float>
  ) {
    let (first, second, third, fourth) = (columns[0], columns[1], columns[2], columns[3])
    let white = SIMD4<Float>(repeating: 65_535)
    let half = SIMD4<Float>(repeating: 0.5)
    for x in 0..<count {
      var camera = SIMD4<Float>(row[x])
      if let recovery { camera = recovery.recovered(camera, x: left + x, y: y) }
      var linear = first * camera.x
      linear += second * camera.y
      linear += third * camera.z
      linear += fourth * camera.w
      linear = pointwiseMin(pointwiseMax(finish(linear), .zero), white)
      let code = linear + half
      var pixel = SIMD4<UInt16>(truncatingIfNeeded: SIMD4<Int32>(code, rounding: .towardZero))
      pixel.w = .max
      rgba[x] = pixel
    }
  }
}
