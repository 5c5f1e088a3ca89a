import Glibc

/// A world of upright boxes on level ground under a sky, seen by a camera with a known roll.
struct World {
  /// A box with upright sides, rotated by `yaw` about its own axis; in metres.
  struct Box {
    var x: Double, z: Double
    var halfWidth: Double, halfDepth: Double
    var bottom: Double, top: Double
    var yaw: Double
    var level: Double
    /// The distance between rows and columns of windows, or 0.
    var windows = 0.0
    /// The horizontal offset of the top from the foot in metres: trunks lean.
    var lean = 0.0
  }

  /// A box with values precomputed for every ray.
  private struct PreparedBox {
    let box: Box
    let cosine: Double, sine: Double
    /// A lean is a shear along the box's own x axis.
    let shear: Double

    init(_ box: Box) {
      self.box = box
      (cosine, sine) = (cos(box.yaw), sin(box.yaw))
      shear = box.top > box.bottom ? box.lean / (box.top - box.bottom) : 0
    }
  }

  /// The camera's position and direction; angles in radians.
  struct Camera {
    var height = 1.6
    /// The counter-clockwise rotation of the picture's content.
    var roll = 0.0
    /// Positive looks up.
    var pitch = 0.0
    var yaw = 0.0
    /// In halves of the picture's long edge.
    var focalLength = 1.5
  }

  /// A camera with values precomputed for every ray.
  private struct Turn {
    let cosine: Double, sine: Double

    init(_ angle: Double) { (cosine, sine) = (cos(angle), sin(angle)) }
  }

  var boxes: [Box] = []
  /// The grey of the ground at (x, z), 0…255.
  var ground: (Double, Double) -> Double = { _, _ in 100 }
  /// The grey of the sky at elevation and azimuth, in radians.
  var sky: (Double, Double) -> Double = { elevation, _ in 205 - 40 * elevation }
  /// If set, the inside of this large box is shown instead of ground and sky.
  var room: Box?

  /// Returns the grey that is hit by a ray through (x, y), in halves of the long edge from the centre, y down.
  func view(_ camera: Camera) -> (Double, Double) -> Double {
    let (roll, pitch, yaw) = (Turn(camera.roll), Turn(camera.pitch), Turn(camera.yaw))
    let boxes = boxes.map(PreparedBox.init)
    let room = room.map(PreparedBox.init)
    return { x, y in
      let (u, v) = (x * roll.cosine - y * roll.sine, x * roll.sine + y * roll.cosine)
      // Camera → world: pitch about the level axis, then yaw about the upright one. y points up here.
      let rise = -v * pitch.cosine + camera.focalLength * pitch.sine
      let ahead = v * pitch.sine + camera.focalLength * pitch.cosine
      let ray = (
        x: u * yaw.cosine + ahead * yaw.sine, y: rise, z: -u * yaw.sine + ahead * yaw.cosine
      )
      return level(along: ray, height: camera.height, boxes, room)
    }
  }

  private func level(
    along ray: (x: Double, y: Double, z: Double), height: Double, _ boxes: [PreparedBox], _ room: PreparedBox?
  ) -> Double {
    var nearest = Double.infinity
    var found: Double?
    for box in boxes {
      if let (distance, level) = Self.hit(box, ray, height, inside: false), distance < nearest {
        (nearest, found) = (distance, level)
      }
    }
    if let found { return found }
    if let room, let (_, level) = Self.hit(room, ray, height, inside: true) { return level }
    if ray.y < -1e-6 {
      let distance = height / -ray.y
      let haze = exp(-distance / 120)
      return ground(ray.x * distance, ray.z * distance) * haze + 165 * (1 - haze)
    }
    return sky(atan2(ray.y, (ray.x * ray.x + ray.z * ray.z).squareRoot()), atan2(ray.x, ray.z))
  }

  /// Returns the distance and grey of the first side hit by a ray from (0, height, 0), or of the last if seen
  /// from inside.
  private static func hit(
    _ prepared: PreparedBox, _ ray: (x: Double, y: Double, z: Double), _ height: Double, inside: Bool
  ) -> (Double, Double)? {
    let box = prepared.box
    let (c, s, shear) = (prepared.cosine, prepared.sine, prepared.shear)
    let origin = (
      x: -box.x * c + box.z * s - shear * (height - box.bottom), y: height, z: -box.x * s - box.z * c
    )
    let way = (x: ray.x * c - ray.z * s - shear * ray.y, y: ray.y, z: ray.x * s + ray.z * c)
    var (near, far) = (-Double.infinity, Double.infinity)
    var (nearSide, farSide) = (0, 0)
    for (side, start, step, low, high) in [
      (0, origin.x, way.x, -box.halfWidth, box.halfWidth), (1, origin.y, way.y, box.bottom, box.top),
      (2, origin.z, way.z, -box.halfDepth, box.halfDepth),
    ] {
      guard abs(step) > 1e-12 else {
        if start < low || start > high { return nil }
        continue
      }
      let (a, b) = ((low - start) / step, (high - start) / step)
      if min(a, b) > near { (near, nearSide) = (min(a, b), side) }
      if max(a, b) < far { (far, farSide) = (max(a, b), side) }
    }
    guard near < far, far > 0 else { return nil }
    let distance = inside ? far : near
    guard distance > 0.05 else { return nil }
    let side = inside ? farSide : nearSide
    let along = side == 2 ? origin.x + distance * way.x : origin.z + distance * way.z
    let up = origin.y + distance * way.y
    var level = box.level + [28.0, -35, 0][side]
    if box.windows > 0, side != 1 {
      let (u, v) = (along / box.windows, (up - box.bottom) / box.windows)
      if abs(u - u.rounded()) < 0.28, abs(v - v.rounded()) < 0.32 { level = level > 120 ? 60 : 190 }
    }
    return (distance, level)
  }
}
