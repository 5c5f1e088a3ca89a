import FilterGraph
import Filters
import FrameCore
import LibraryTestSupport
import Libc
import Testing

@testable import Editing
@testable import FrameAnalysis

@Suite("Photos made upright")
struct AutoUprightTests {
  /// A camera that looked up by `pitch`, to the right by `yaw` and leaned by `roll` clockwise, in degrees, and what it
  /// sees of lines that are upright, and of lines that run across its view.
  struct Camera: CustomStringConvertible {
    var pitch, yaw, roll: Double
    var focalLength = 28.0
    var size = PixelSize(width: 3000, height: 2000)
    var description: String { "up \(pitch)°, right \(yaw)°, rolled \(roll)°" }

    /// In pixels.
    var focal: Double { focalLength / hypot(36, 24) * hypot(Double(size.width), Double(size.height)) }

    /// A direction of the world (x to the right, y down, z ahead of the level camera) as the camera sees it.
    func seen(_ way: SIMD3<Double>) -> SIMD3<Double> {
      let (p, h, r) = (pitch * .pi / 180, yaw * .pi / 180, roll * .pi / 180)
      let turned = SIMD3(cos(h) * way.x - sin(h) * way.z, way.y, sin(h) * way.x + cos(h) * way.z)
      let tilted = SIMD3(
        turned.x, cos(p) * turned.y + sin(p) * turned.z, -sin(p) * turned.y + cos(p) * turned.z)
      // A camera that leans clockwise shows everything turned counter-clockwise.
      return SIMD3(cos(r) * tilted.x + sin(r) * tilted.y, -sin(r) * tilted.x + cos(r) * tilted.y, tilted.z)
    }

    /// Where lines of a direction meet, as evidence has it.
    func vanishingPoint(_ way: SIMD3<Double>, _ role: HorizonEvidence.Role) -> HorizonEvidence.VanishingPoint
    {
      let seen = seen(way)
      let unit = Double(size.longEdge)
      let toward = seen.z < 0 ? SIMD2(-seen.x, -seen.y) : SIMD2(seen.x, seen.y)
      let middle = SIMD2(Double(size.width), Double(size.height)) / (2 * unit)
      return HorizonEvidence.VanishingPoint(
        role: role, direction: atan2(-toward.y, toward.x) * 180 / .pi,
        position: abs(seen.z) < 1e-6 ? nil : middle + SIMD2(seen.x, seen.y) / seen.z * focal / unit,
        strength: 0.9)
    }

    var found: PhotoHorizon {
      var evidence = HorizonEvidence()
      evidence.vanishingPoints = [
        vanishingPoint(SIMD3(0, -1, 0), .upright), vanishingPoint(SIMD3(1, 0, 0), .level),
      ]
      return PhotoHorizon(
        horizon: Horizon(
          degrees: roll, deviation: 0.1, confidence: 0.95,
          evidence: Horizon.Evidence(kinds: [.verticals], segmentCount: 40, agreeingCount: 30)),
        evidence: evidence)
    }
  }

  static let cameras = [
    Camera(pitch: 12, yaw: 0, roll: 0), Camera(pitch: -9, yaw: 0, roll: 0),
    Camera(pitch: 10, yaw: 0, roll: 4),
    Camera(pitch: 15, yaw: 8, roll: -3), Camera(pitch: -6, yaw: -12, roll: 2, focalLength: 50),
    Camera(pitch: 0, yaw: 10, roll: 0),
    Camera(pitch: 8, yaw: 5, roll: 1, size: PixelSize(width: 1500, height: 2200)),
  ]

  /// The angle by which lines of the world are off an axis of the edited picture, at its middle and near its edges.
  private func worst(
    _ way: SIMD3<Double>, along axis: SIMD2<Double>, _ camera: Camera, through recipe: Recipe
  ) throws -> Double {
    let plan = try Plan(recipe, input: PlanInput(size: camera.size), output: PlanOutput())
    let geometry = try #require(plan.projected ?? plan.geometry)
    let seen = camera.seen(way)
    let (w, h) = (Double(geometry.outputSize.width), Double(geometry.outputSize.height))
    var worst = 0.0
    for (x, y) in [(0.5, 0.5), (0.1, 0.2), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)] {
      // The line of the world through this place is drawn from it towards where such lines meet.
      let place = geometry.place(x * w, y * h)
      let ray = SIMD3(
        place.x - Double(camera.size.width) / 2, place.y - Double(camera.size.height) / 2, camera.focal)
      let next = ray + 0.01 * camera.focal * seen
      let shown = geometry.placeInOutput(
        next.x / next.z * camera.focal + Double(camera.size.width) / 2,
        next.y / next.z * camera.focal + Double(camera.size.height) / 2)
      let drawn = SIMD2(shown.x - x * w, shown.y - y * h)
      let off = abs(drawn.x * axis.y - drawn.y * axis.x) / (drawn * drawn).sum().squareRoot()
      worst = max(worst, asin(min(off, 1)) * 180 / .pi)
    }
    return worst
  }

  @Test("Upright lines become upright", arguments: cameras)
  func vertical(camera: Camera) throws {
    let found = AutoUpright(
      camera.found, size: camera.size, focalLength: camera.focalLength, .vertical)
    guard camera.pitch != 0 || camera.roll != 0 else {
      #expect(found.turn == nil)
      return
    }
    // Angles are rounded to 0.1°.
    let worst = try worst(SIMD3(0, 1, 0), along: SIMD2(0, 1), camera, through: found.joined(to: Recipe()))
    #expect(worst < 0.15, "\(camera): \(found.summary)")
  }

  @Test("With level lines, these run across", arguments: cameras)
  func full(camera: Camera) throws {
    let found = AutoUpright(camera.found, size: camera.size, focalLength: camera.focalLength, .full)
    let recipe = found.joined(to: Recipe())
    #expect(try worst(SIMD3(0, 1, 0), along: SIMD2(0, 1), camera, through: recipe) < 0.15, "\(found.summary)")
    #expect(try worst(SIMD3(1, 0, 0), along: SIMD2(1, 0), camera, through: recipe) < 0.15, "\(found.summary)")
  }

  @Test("Mirrored and turned photos lean the other way")
  func turned() throws {
    let camera = Camera(pitch: 10, yaw: 0, roll: 4)
    func turn(_ filters: any Filter...) throws -> AutoUpright.Turn {
      let found = AutoUpright(
        camera.found, size: camera.size, focalLength: camera.focalLength, .vertical,
        joining: Recipe(filters: filters))
      return try #require(found.turn)
    }
    let (plain, mirrored) = (try turn(), try turn(Flip(.horizontal)))
    #expect(mirrored.keystone.vertical == plain.keystone.vertical)
    #expect(
      mirrored.keystone.horizontal == -plain.keystone.horizontal && mirrored.straighten == -plain.straighten)
  }

  @Test("Without sure lines a photo stays as it is, and says why")
  func abstains() {
    let camera = Camera(pitch: 12, yaw: 0, roll: 3)
    var weak = camera.found.evidence
    weak.vanishingPoints = weak.vanishingPoints.map {
      var point = $0
      point.strength = 0.1
      return point
    }
    let unsure = PhotoHorizon(horizon: .none(segmentCount: 3), evidence: weak)
    let found = AutoUpright(unsure, size: camera.size, focalLength: nil, .auto)
    #expect(found.turn == nil && found.summary == "not made upright: not sure enough what is level")
    // The horizon alone levels.
    let level = AutoUpright(
      PhotoHorizon(horizon: camera.found.horizon, evidence: weak), size: camera.size, focalLength: nil, .auto)
    #expect(level.turn?.straighten == 3 && level.turn?.keystone == Keystone())
    let only = AutoUpright(
      PhotoHorizon(horizon: camera.found.horizon, evidence: weak), size: camera.size, focalLength: nil,
      .vertical)
    #expect(only.turn == nil && only.summary == "not made upright: no upright lines were found")
    // Looking up a tower: straight lines would draw it out.
    let steep = Camera(pitch: 38, yaw: 0, roll: 0)
    let most = AutoUpright(steep.found, size: steep.size, focalLength: 28, .vertical)
    #expect(most.turn == nil && most.summary == "not made upright: that would turn the camera by 38°")
  }

  @Test("It replaces turns of its kind, and both ways to level exclude each other")
  func joins() throws {
    let camera = Camera(pitch: 12, yaw: 0, roll: 0)
    let found = AutoUpright(camera.found, size: camera.size, focalLength: 28, .vertical)
    let joined = found.joined(
      to: Recipe(filters: [Straighten(3), Keystone(vertical: 5), Exposure(stops: 1)]))
    #expect(joined.filters.count == 2 && joined.filters.contains { $0 is Exposure })
    #expect((joined.filters.last as? Keystone)?.vertical == 12)
    var edit = Edit()
    (edit.straighten, edit.upright) = (.automatic, .auto)
    #expect(throws: SafelightError.self) { try edit.recipe() }
  }
  @Test("A photo that was stored on its side becomes upright as one that was not")
  func onItsSide() throws {
    // Pillars that run together at the top, as displayed.
    let (width, height) = (480, 720)
    func level(_ x: Int, _ y: Int) -> [Int] {
      let (u, v) = (Double(x) - 240, Double(y) - 360)
      let pillar = (u / (1 + v / 1600) / 60).rounded(.down)
      let light = pillar.truncatingRemainder(dividingBy: 2) == 0 ? 12_000 : 50_000
      return [light, light, light, 65_535]
    }
    let upright = try picture(width, height, level)
    let stored = try picture(height, width) { x, y in level(width - 1 - y, x) }
    let found = try [
      PhotoSample(Frame(buffer: upright), named: "upright"),
      PhotoSample(
        Frame(buffer: stored, orientation: Orientation(mirrored: false, quarterTurns: 1)),
        named: "on its side"),
    ].map { AutoUpright($0, .vertical) }
    let turns = try found.map { try #require($0.turn, "\($0.summary)") }
    #expect(abs(turns[0].keystone.vertical) > 3)
    #expect(abs(turns[0].keystone.vertical - turns[1].keystone.vertical) < 0.2)
    #expect(abs(turns[0].keystone.horizontal - turns[1].keystone.horizontal) < 0.2)
    #expect(abs(turns[0].straighten - turns[1].straighten) < 0.2)
  }
}
