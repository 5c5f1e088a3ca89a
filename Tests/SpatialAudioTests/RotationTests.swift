import FrameCore
import Libc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite("Rotation")
struct RotationTests {
  private static func random(_ random: inout SeededRandom) -> Rotation {
    Rotation(yaw: 180 * random.unit(), pitch: 180 * random.unit(), roll: 180 * random.unit())
  }

  private func moved(_ from: Direction, _ rotation: Rotation) -> [Float] {
    var (encoder, rotator) = (AmbisonicEncoder(from), AmbisonicRotator(rotation))
    return rotator.process(encoder.process([1]))
  }

  @Test func turnsGoTheirWay() {
    // W, Y, Z, X: the front goes to the left by yaw and up by pitch; the left goes up by roll.
    let front = Direction(azimuth: 0)
    let cases: [(Direction, Rotation, [Float])] = [
      (front, Rotation(yaw: 90), [1, 1, 0, 0]),
      (front, Rotation(yaw: 0, pitch: 90), [1, 0, 1, 0]),
      (Direction(azimuth: 90), Rotation(yaw: 0, roll: 90), [1, 0, 1, 0]),
      (front, Rotation(yaw: 0, roll: 90), [1, 0, 0, 1]),
      (front, Rotation(yaw: 90, pitch: 90), [1, 0, 1, 0]),
    ]
    for (from, rotation, expected) in cases {
      for (value, wanted) in zip(moved(from, rotation), expected) { #expect(abs(value - wanted) < 1e-6) }
    }
  }

  @Test func rotationAgreesWithRodrigues() throws {
    // Rodrigues' formula for an axis and an angle, beside the quaternion of the same.
    var random = SeededRandom(seed: 11)
    for _ in 0..<300 {
      var axis = SIMD3(random.unit(), random.unit(), random.unit())
      axis /= (axis * axis).sum().squareRoot()
      let angle = .pi * random.unit()
      let vector = SIMD3(random.unit(), random.unit(), random.unit())
      let cross = SIMD3(
        axis.y * vector.z - axis.z * vector.y, axis.z * vector.x - axis.x * vector.z,
        axis.x * vector.y - axis.y * vector.x)
      let expected =
        vector * cos(angle) + cross * sin(angle) + axis * ((axis * vector).sum() * (1 - cos(angle)))
      let quaternion = SIMD4(axis * sin(angle / 2), cos(angle / 2)) * 3
      let rotation = try Rotation(quaternion: quaternion)
      let off = rotation.rotate(vector) - expected
      #expect((off * off).sum() < 1e-24)
      let again = try Rotation(rows: rotation.rows).rotate(vector) - expected
      #expect((again * again).sum() < 1e-24)
    }
  }

  @Test func whatIsNoRotationIsRefused() {
    #expect(throws: SafelightError.self) { try Rotation(quaternion: .zero) }
    #expect(throws: SafelightError.self) { try Rotation(quaternion: SIMD4(.nan, 0, 0, 1)) }
    #expect(throws: SafelightError.self) { try Rotation(rows: [[1, 0, 0], [0, 1, 0]]) }
    #expect(throws: SafelightError.self) { try Rotation(rows: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]) }
    #expect(throws: SafelightError.self) { try Rotation(rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1.001]]) }
    #expect(throws: SafelightError.self) { try Rotation(rows: [.zero, .zero, .zero]) }
  }

  @Test func rotatingAndBackChangesNothing() {
    var random = SeededRandom(seed: 12)
    var worst: Float = 0
    for seed in 0..<100 {
      let rotation = Self.random(&random)
      let scene = Sphere.noise(4 * 64, seed: UInt64(seed))
      var (there, back) = (AmbisonicRotator(rotation), AmbisonicRotator(rotation.inverse))
      let result = back.process(there.process(scene))
      worst = max(worst, zip(scene, result).map { abs($0 - $1) }.max() ?? .infinity)
    }
    #expect(worst <= 1e-6)
  }

  @Test func twoTurnsAreOne() {
    var random = SeededRandom(seed: 13)
    for _ in 0..<100 {
      let (a, b) = (Self.random(&random), Self.random(&random))
      let vector = SIMD3(random.unit(), random.unit(), random.unit())
      let off = a.followed(by: b).rotate(vector) - b.rotate(a.rotate(vector))
      #expect((off * off).sum() < 1e-24)
    }
  }

  @Test func aRotatedSourceIsTheSourceElsewhere() {
    var random = SeededRandom(seed: 14)
    for _ in 0..<100 {
      let from = Direction(azimuth: 180 * random.unit(), elevation: 90 * random.unit())
      let rotation = Self.random(&random)
      let frame = moved(from, rotation).map(Double.init)
      #expect(Sphere.angle(SIMD3(frame[3], frame[1], frame[2]), rotation.rotate(from.unitVector)) < 1e-4)
    }
  }

  @Test(arguments: [64, 100, 480, 1024])
  func aNewRotationIsReachedWithoutAClick(frames: Int) {
    // The scene is constant, so that whatever changes is the rotation.
    var encoder = AmbisonicEncoder(Direction(azimuth: 20, elevation: 30))
    let scene = encoder.process([Float](repeating: 1, count: frames))
    var rotator = AmbisonicRotator()
    let before = rotator.process(scene)
    rotator.rotation = Rotation(yaw: 150, pitch: 20, roll: -40)
    let during = rotator.process(scene)
    let after = rotator.process(scene)
    let xyz: [SIMD3<Float>] = stride(from: before.count - 4, to: before.count + during.count, by: 4).map {
      let frame = Array((before + during)[$0..<$0 + 4])
      return SIMD3(frame[3], frame[1], frame[2])
    }
    // On the shortest way no step is longer than its part of half a circle.
    let longest = Float.pi / Float(frames)
    for (old, new) in zip(xyz, xyz.dropFirst()) {
      let step = new - old
      #expect((step * step).sum().squareRoot() <= longest)
      // The length stays in proportion to W, but for the chords between.
      #expect(abs((new * new).sum() - 1) < 0.04)
    }
    let expected = Rotation(yaw: 150, pitch: 20, roll: -40).rotate(
      Direction(azimuth: 20, elevation: 30).unitVector)
    #expect(abs(Double(after[3]) - expected.x) < 1e-6 && abs(Double(after[1]) - expected.y) < 1e-6)
    #expect(Array(after.prefix(4)) == Array(during.suffix(4)))
  }

  @Test func interpolationTakesTheShortWayAtConstantSpeed() {
    let (start, end) = (Rotation(yaw: 170), Rotation(yaw: -170))
    for step in 0...10 {
      let front = start.interpolated(to: end, Double(step) / 10).rotate([1, 0, 0])
      let azimuth = Direction(front).map(\.azimuth) ?? 0
      let expected = 170 + 2 * Double(step)
      #expect(abs((azimuth < 0 ? azimuth + 360 : azimuth) - expected) < 1e-9)
    }
  }
}
