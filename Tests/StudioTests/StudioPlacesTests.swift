import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import Studio

@Suite("Places of the page's pictures in the photo")
struct StudioPlacesTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var filters: [any Filter]
    var orientation = Orientation.up

    var testDescription: String { name }
    var recipe: Recipe { Recipe(filters: filters) }
    static let stored = PixelSize(width: 600, height: 400)

    func places(_ recipe: Recipe) throws -> (size: PixelSize, places: PicturePlaces) {
      let input = PlanInput(size: Self.stored, orientation: orientation)
      let plan = try Plan(recipe, input: input, output: PlanOutput(), optimized: false)
      return (plan.outputSize, plan.places)
    }
  }

  private static let barrel = LensProfile(distortion: [1.02, 0, -0.06, 0, 0.01], center: SIMD2(0.02, -0.01))
  private static let pincushion = LensProfile(distortion: [0.98, 0.01, 0.05])
  private static let page = Perspective(
    .places([SIMD2(0.1, 0.2), SIMD2(0.9, 0.1), SIMD2(0.95, 0.8), SIMD2(0.05, 0.9)]))

  static let cases = [
    Case(name: "as it is", filters: []),
    Case(
      name: "turned and cropped",
      filters: [Rotate(.clockwise), Crop(.rectangle(x: 40, y: 60, width: 300, height: 380))]),
    Case(name: "mirrored and straightened", filters: [Flip(.horizontal), Straighten(7)]),
    Case(
      name: "with its empty corners", filters: [Rotate(.counterclockwise), Straighten(-8, corners: .keep)]),
    Case(name: "keystone", filters: [Keystone(vertical: 12)]),
    Case(
      name: "keystone both ways, turned, straightened, cropped",
      filters: [
        Rotate(.clockwise), Flip(.vertical), Keystone(vertical: -9, horizontal: 14, focalLength: 35),
        Straighten(3.5),
        Crop(.rectangle(x: 30, y: 20, width: 200, height: 300)),
      ]),
    Case(name: "four corners", filters: [page]),
    Case(
      name: "four corners of an A4 page, keystone",
      filters: [
        Perspective(page.corners, proportions: .ratio(width: 210, height: 297)),
        Keystone(vertical: 0, horizontal: 5),
      ]),
    Case(name: "barrel", filters: [Lens(barrel)]),
    Case(
      name: "pincushion, upright and cropped",
      filters: [
        Lens(pincushion), Keystone(vertical: 10), Straighten(-2), Crop(.proportions(width: 1, height: 1)),
      ]),
    Case(
      name: "a photo on its side", filters: [Lens(barrel), Keystone(vertical: 8)],
      orientation: Orientation(mirrored: false, quarterTurns: 1)),
  ]

  /// Places all over a result, the same in every run.
  private static func random(_ count: Int) -> [SIMD2<Double>] {
    var state: UInt64 = 7
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 33) / 0x1p31 * 1e4).rounded() / 1e4
    }
    return (0..<count).map { _ in SIMD2(next(), next()) }
  }

  @Test("are those that the plan itself looks up, and the way back ends where it began", arguments: cases)
  func lookedUp(_ one: Case) throws {
    let (size, places) = try one.places(one.recipe)
    let input = PlanInput(size: Case.stored, orientation: one.orientation)
    let plan = try Plan(one.recipe, input: input, output: PlanOutput())
    let upright = Geometry(orientation: one.orientation, size: Case.stored)
    for place in Self.random(200) {
      let (x, y) = (place.x * Double(size.width), place.y * Double(size.height))
      let stored = (plan.projected ?? plan.geometry)?.place(x, y) ?? (x: x, y: y)
      let wanted = upright.map.inverse.apply(stored.x, stored.y)
      let found = places.apply(place.x, place.y)
      #expect(
        abs(found.x * Double(upright.outputSize.width) - wanted.x) < 1e-6
          && abs(found.y * Double(upright.outputSize.height) - wanted.y) < 1e-6, "\(place)")
      let back = places.inverse(found.x, found.y)
      #expect(abs(back.x - place.x) < 1e-9 && abs(back.y - place.y) < 1e-9)
    }
  }

  @Test("are where masks of the engine are", arguments: cases)
  func masks(_ one: Case) throws {
    let (size, places) = try one.places(one.recipe)
    let grey = try picture(Case.stored.width, Case.stored.height) { _, _ in [20_000, 20_000, 20_000, 65_535] }
    let upright = one.orientation.applied(to: Case.stored)
    for place in [SIMD2(0.3, 0.4), SIMD2(0.7, 0.35), SIMD2(0.5, 0.75)] {
      let center = places.apply(place.x, place.y)
      let radius = 6 / Double(upright.longEdge)
      let mask = Mask.radial(
        center: MaskPoint(center.x, center.y), radiusX: radius, radiusY: radius)
      var recipe = one.recipe
      recipe.filters.append(Group(mask, filters: [Exposure(stops: 2)]))
      let input = try PlanInput(grey, orientation: one.orientation)
      let renderer = CPURenderer()
      let shown = try renderer.render(
        grey, through: renderer.plan(recipe, input: input, output: PlanOutput()))
      var (sum, weight) = (SIMD2(0.0, 0.0), 0.0)
      for y in 0..<shown.height {
        for x in 0..<shown.width {
          // The circle, not what a transparent corner or a rim is.
          let far =
            abs(Double(x) - place.x * Double(size.width)) + abs(Double(y) - place.y * Double(size.height))
          guard far < 40 else { continue }
          let more = Double(shown.row(y, as: UInt8.self)[4 * x]) - 78
          guard more > 2 else { continue }
          sum += SIMD2(Double(x) + 0.5, Double(y) + 0.5) * more
          weight += more
        }
      }
      let away = sum / weight - place * SIMD2(Double(size.width), Double(size.height))
      #expect((away * away).sum().squareRoot() < 0.35, "\(one.name), \(place): \(away)")
    }
  }

  @Test("are told the page as it reads them: its tests read what is recorded here")
  func recorded() throws {
    func rounded(_ value: JSONValue) -> JSONValue {
      switch value {
      // As processors differ in the last digits.
      case .number(let number): .number(PlainNumber.rounded(number, 10))
      case .array(let values): .array(values.map(rounded))
      case .object(let fields): .object(fields.mapValues(rounded))
      case .null, .bool, .string: value
      }
    }
    let records = try Self.cases.map { one -> JSONValue in
      let (size, places) = try one.places(one.recipe)
      let points = Self.random(12).map { place -> JSONValue in
        let found = places.apply(place.x, place.y)
        return .array([.number(place.x), .number(place.y), .number(found.x), .number(found.y)])
      }
      return .object([
        "name": .string(one.name), "photo": .size(one.orientation.applied(to: Case.stored)),
        "full": .size(size),
        "places": .places(places), "points": .array(points),
        "values": .object(
          StudioEdit(one.recipe).values.values.mapValues { value in
            if case .number(let number) = value { .number(number) } else { .string(value.description) }
          }),
      ])
    }
    try expectRecorded(text: rounded(.array(records)).text, as: "places")
  }

  @Test("come with each frame, dragged or sharp, cropped or not")
  func frames() throws {
    let visit = try Visit()
    visit.open()
    let first = try #require(visit.peer.next("frame"))
    #expect(first.object("places")["lens"] == .null)
    guard case .array(let map)? = first.object("places")["map"] else {
      Issue.record("no map")
      return
    }
    #expect(map.count == 9)
    visit.edit(#"{"values": {"keystone-vertical": 10}}"#, input: 1, dragging: false)
    let edited = try #require(visit.peer.next("frame") { $0.number("input") == 1 })
    let recipe = Recipe { Keystone(vertical: 10) }
    let plan = try Plan(
      recipe, input: PlanInput(size: PixelSize(width: 300, height: 200)), output: PlanOutput(),
      optimized: false)
    #expect(edited.fields["places"] == .places(plan.places))
  }
}
