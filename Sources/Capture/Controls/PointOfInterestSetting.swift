import FrameCore

/// What part of the picture an automatic mode of the camera looks at.
///
/// Coordinates are fractions of the camera's picture as it sends it: 0, 0 is its upper left corner, 1, 1 the lower
/// right one. For a point that somebody sees, `seen(with:)` finds them.
public enum PointOfInterestSetting: Sendable, Hashable {
  /// The camera chooses.
  case automatic
  /// A place, with a fifth of the width and height around it.
  case point(x: Double, y: Double)
  case region(x: Double, y: Double, width: Double, height: Double)

  /// The part of the width and of the height that a point stands for.
  static let pointSize = 0.2

  /// The upper left corner and the size, inside the picture; nil if the camera chooses.
  ///
  /// - Throws: `SafelightError` if a part of it lies outside.
  func region(named name: String) throws -> (x: Double, y: Double, width: Double, height: Double)? {
    let (x, y, width, height): (Double, Double, Double, Double)
    switch self {
    case .automatic: return nil
    case .point(let centerX, let centerY):
      guard (0...1).contains(centerX), (0...1).contains(centerY) else { throw Self.outside(name) }
      (width, height) = (Self.pointSize, Self.pointSize)
      (x, y) = (
        min(max(centerX - width / 2, 0), 1 - width), min(max(centerY - height / 2, 0), 1 - height)
      )
    case .region(let left, let top, let wide, let high):
      guard left >= 0, top >= 0, wide > 0, high > 0, left + wide <= 1 + 1e-9, top + high <= 1 + 1e-9 else {
        throw Self.outside(name)
      }
      (x, y, width, height) = (left, top, wide, high)
    }
    return (x, y, width, height)
  }

  private static func outside(_ name: String) -> SafelightError {
    SafelightError(
      .invalidValue, "The \(name) lies outside the picture",
      remedy: "give fractions of its width and height: X,Y from 0,0 to 1,1, or X,Y,WIDTH,HEIGHT")
  }

  /// What somebody means who sees the picture turned: the same place in the picture as the camera sends it.
  ///
  /// - Parameter orientation: that of the frames that are seen, such as `Frame.orientation`, which includes the
  ///   connection's rotation and mirroring.
  public func seen(with orientation: Orientation) -> PointOfInterestSetting {
    func sent(_ point: SIMD2<Double>) -> SIMD2<Double> {
      var point = point
      for _ in 0..<orientation.quarterTurns { point = SIMD2(point.y, 1 - point.x) }
      return orientation.isMirrored ? SIMD2(1 - point.x, point.y) : point
    }
    switch self {
    case .automatic: return .automatic
    case .point(let x, let y):
      let point = sent(SIMD2(x, y))
      return .point(x: point.x, y: point.y)
    case .region(let x, let y, let width, let height):
      let (a, b) = (sent(SIMD2(x, y)), sent(SIMD2(x + width, y + height)))
      return .region(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
    }
  }
}

/// How points of interest map to V4L2's controls.
///
/// There is one rectangle, and a bit for each automatic mode that looks at it. Source: the kernel's documentation of
/// uvcvideo, driver-specific controls; UVC 1.5, 4.2.2.1.20.
enum PointOfInterest {
  /// The bits of V4L2_CID_UVC_REGION_OF_INTEREST_AUTO.
  static let exposureBit: Int64 = 1
  static let focusBit: Int64 = 8

  /// The bit of a setting; nil for others.
  static func bit(_ key: CameraSetting.Key) -> Int64? {
    switch key {
    case .exposurePoint: exposureBit
    case .focusPoint: focusBit
    default: nil
    }
  }
}

extension ControlSet {
  /// The controls of a point of interest; nil if the device has none for this automatic mode.
  func pointOfInterest(_ bit: Int64) -> (rectangle: DeviceControl, modes: DeviceControl)? {
    guard let rectangle = self[ControlID.regionOfInterest], rectangle.kind == .rectangle,
      let modes = self[ControlID.regionOfInterestModes], modes.maximum & bit != 0
    else { return nil }
    return (rectangle, modes)
  }

  /// `0.5,0.4`: the middle of the region that an automatic mode looks at, or `auto`; nil if it is not known.
  func pointOfInterestText(_ bit: Int64) -> String? {
    guard let (rectangle, modes) = pointOfInterest(bit), let set = modes.value else { return nil }
    guard set & bit != 0 else { return "auto" }
    guard let value = rectangle.value else { return nil }
    let (region, whole) = (ControlRectangle(packed: value), ControlRectangle(packed: rectangle.maximum))
    guard whole.width > 0, whole.height > 0 else { return nil }
    let x = (Double(region.left) + Double(region.width) / 2) / Double(whole.width)
    let y = (Double(region.top) + Double(region.height) / 2) / Double(whole.height)
    return "\(PlainNumber.text(PlainNumber.rounded(x, 2))),\(PlainNumber.text(PlainNumber.rounded(y, 2)))"
  }
}

extension ControlPlan {
  mutating func add(_ setting: PointOfInterestSetting, _ key: CameraSetting.Key) throws {
    guard let bit = PointOfInterest.bit(key), let (control, modes) = controls.pointOfInterest(bit) else {
      throw unsupported(key)
    }
    guard let region = try setting.region(named: key.rawValue) else { return setBit(bit, of: modes, false) }
    let (least, whole) = (
      ControlRectangle(packed: control.minimum), ControlRectangle(packed: control.maximum)
    )
    func part(_ start: Double, _ length: Double, least: Int, of whole: Int) -> (start: Int, length: Int) {
      let length = min(max(Int((length * Double(whole)).rounded()), least, 1), whole)
      return (min(max(Int((start * Double(whole)).rounded()), 0), whole - length), length)
    }
    let across = part(region.x, region.width, least: least.width, of: whole.width)
    let down = part(region.y, region.height, least: least.height, of: whole.height)
    let rectangle = ControlRectangle(
      left: across.start, top: down.start, width: across.length, height: down.length)
    guard let packed = rectangle.packed else { throw unsupported(key) }
    if let other = value(for: control.id), other != packed {
      throw SafelightError(
        .invalidValue, "\(device) has one point of interest for focus and exposure, and two were given",
        remedy: "give both settings the same one")
    }
    try set(control, to: packed)
    setBit(bit, of: modes, true)
  }
}
