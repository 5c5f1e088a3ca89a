import FrameCore

/// Four directional capsules on the corners of a tetrahedron, facing outwards.
public struct TetrahedralArray: Sendable, Hashable, Codable {
  /// Where each channel's capsule faces: the four of type I, or the four of type II, in any order.
  public let order: [CapsulePosition]
  /// Metres from the centre to each capsule, 0.005…0.05.
  public let radius: Double
  /// The part of pressure in the capsules' pattern p + (1 − p)·cos θ, 0.25 (hypercardioid) … 0.8.
  public let pattern: Double
  public let mounting: ArrayMounting
  /// What is known of the four capsules, in the order of the channels.
  public let calibration: CapsuleCalibration

  /// The usual array: cardioids 15 mm from the centre.
  public static let typeI = TetrahedralArray(
    unchecked: CapsulePosition.typeI, 0.015, 0.5, .upright, .none)

  /// - Throws: `SafelightError` that names the value outside its range.
  public init(
    order: [CapsulePosition] = CapsulePosition.typeI, radius: Double = 0.015, pattern: Double = 0.5,
    mounting: ArrayMounting = .upright, calibration: CapsuleCalibration = .none
  ) throws {
    guard order.count == 4 else { throw Self.wrongCount(order.count, "capsules") }
    guard [CapsulePosition.typeI, CapsulePosition.typeII].contains(where: { Set($0) == Set(order) }) else {
      let names = order.map(\.rawValue).joined(separator: "/")
      throw SafelightError(
        .invalidValue, "The capsules \(names) are not the corners of a tetrahedron",
        remedy: "name flu, frd, bld and bru once each (type 1), or fld, fru, blu and brd (type 2)")
    }
    guard (0.005...0.05).contains(radius) else {
      throw SafelightError(
        .invalidValue, "An array's radius of \(PlainNumber.text(radius * 1000)) mm is outside 5…50",
        remedy: "give the distance from its centre to the capsules, usually 10…25 mm")
    }
    guard (0.25...0.8).contains(pattern) else {
      throw SafelightError(
        .invalidValue, "A capsule's pattern of \(PlainNumber.text(pattern)) is outside 0.25…0.8",
        remedy: "give 0.5 for cardioids; omnidirectional capsules cannot tell directions")
    }
    try calibration.check()
    self.init(unchecked: order, radius, pattern, mounting, calibration)
  }

  private init(
    unchecked order: [CapsulePosition], _ radius: Double, _ pattern: Double, _ mounting: ArrayMounting,
    _ calibration: CapsuleCalibration
  ) {
    (self.order, self.radius, self.pattern) = (order, radius, pattern)
    (self.mounting, self.calibration) = (mounting, calibration)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      order: values.decode([CapsulePosition].self, forKey: .order),
      radius: values.decode(Double.self, forKey: .radius),
      pattern: values.decode(Double.self, forKey: .pattern),
      mounting: values.decode(ArrayMounting.self, forKey: .mounting),
      calibration: values.decode(CapsuleCalibration.self, forKey: .calibration))
  }

  /// Spatial aliasing begins where the radius is one radian of the wave. In Hz, at 20 °C.
  public var aliasingFrequency: Double { ArrayModel.speedOfSound / (2 * .pi * radius) }

  /// The error for a number of channels that ambisonics of first order cannot be made from.
  static func wrongCount(_ count: Int, _ what: String) -> SafelightError {
    SafelightError(
      .invalidValue, "First-order ambisonics needs four capsules, and there are \(count) \(what)",
      remedy: count == 2
        ? "record stereo: two microphones tell neither front from back nor up from down"
        : "record the four channels of the array by themselves")
  }
}

/// The way a capsule of a tetrahedral array faces: front or back, left or right, up or down.
public enum CapsulePosition: String, Sendable, Hashable, Codable, CaseIterable {
  case frontLeftUp = "flu"
  case frontRightDown = "frd"
  case backLeftDown = "bld"
  case backRightUp = "bru"
  case frontLeftDown = "fld"
  case frontRightUp = "fru"
  case backLeftUp = "blu"
  case backRightDown = "brd"

  /// SoundField's and Core Sound's, in the usual order of channels.
  ///
  /// Source: A. Farina, A-format to B-format conversion, University of Parma, 2006; type II too.
  public static let typeI: [Self] = [.frontLeftUp, .frontRightDown, .backLeftDown, .backRightUp]
  /// The other four corners of the cube, as of the DPA-4.
  public static let typeII: [Self] = [.frontLeftDown, .frontRightUp, .backLeftUp, .backRightDown]

  /// 1 or −1 for each of x (front), y (left) and z (up).
  var signs: SIMD3<Double> {
    switch self {
    case .frontLeftUp: [1, 1, 1]
    case .frontRightDown: [1, -1, -1]
    case .backLeftDown: [-1, 1, -1]
    case .backRightUp: [-1, -1, 1]
    case .frontLeftDown: [1, 1, -1]
    case .frontRightUp: [1, -1, 1]
    case .backLeftUp: [-1, 1, 1]
    case .backRightDown: [-1, -1, -1]
    }
  }
}

/// How an array is held.
public enum ArrayMounting: String, Sendable, Hashable, Codable, CaseIterable {
  case upright
  /// Hung from above, its front still to the front.
  case upsideDown = "upside-down"
  /// Tilted forwards: its top points to the front, its front down.
  case endfire
  /// Its top points to the front, its front up.
  case endfireUp = "endfire-up"

  /// Turns directions of the array to directions of the room.
  var rotation: Rotation {
    switch self {
    case .upright: .identity
    case .upsideDown: Rotation(yaw: 0, roll: 180)
    case .endfire: Rotation(yaw: 0, pitch: -90)
    case .endfireUp: Rotation(yaw: 180, pitch: 90)
    }
  }
}
