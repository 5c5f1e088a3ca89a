import FilterGraph
import FrameCore
import Testing

@testable import Filters

@Suite("Crop")
struct CropTests {
  static let size = PixelSize(width: 600, height: 400)

  @Test(
    "Texts name regions, and regions their texts",
    arguments: [
      ("whole", .whole, "whole"),
      ("4:5", .proportions(width: 4, height: 5), "4:5"),
      ("square", .square, "1:1"),
      ("1.85:1", .proportions(width: 1.85, height: 1), "1.85:1"),
      ("16:9@0.5,0.2", .proportions(width: 16, height: 9, x: 0.5, y: 0.2), "16:9@0.5,0.2"),
      ("square@0,1", .proportions(width: 1, height: 1, x: 0, y: 1), "1:1@0,1"),
      ("4:5@0.5,0.5", .proportions(width: 4, height: 5), "4:5"),
      ("10,20,300,400", .rectangle(x: 10, y: 20, width: 300, height: 400), "10,20,300,400"),
      ("10, 20, 300, 400", .rectangle(x: 10, y: 20, width: 300, height: 400), "10,20,300,400"),
      ("-5,0,1,1", .rectangle(x: -5, y: 0, width: 1, height: 1), "-5,0,1,1"),
    ] as [(String, Crop.Region, String)])
  func text(text: String, region: Crop.Region, written: String) throws {
    #expect(try Crop.Region(parameterText: text) == region)
    #expect(region.parameterText == written)
    #expect(try Crop.Region(parameterText: written) == region)
  }

  static let notTwoNumbers = "the proportions are not two positive numbers"
  static let notAPlace = "the place after @ is not two numbers in 0…1"
  static let neither = "it is neither proportions nor four whole numbers"

  @Test(
    "Texts that name no region are explained",
    arguments: [
      ("", neither), ("4/5", neither), ("1:2:3", neither), ("1,2,3", neither), ("1,2,3,4,5", neither),
      ("1,2,3.5,4", neither), ("99999999999999999999,0,1,1", neither), ("1,2,3,4@0,0", neither),
      ("0,0,0,5", "width and height must be positive"), ("0,0,5,-5", "width and height must be positive"),
      (":", notTwoNumbers), ("0:1", notTwoNumbers), ("4:-5", notTwoNumbers), ("nan:1", notTwoNumbers),
      ("inf:1", notTwoNumbers), ("1e999:1", notTwoNumbers), ("a:b", notTwoNumbers),
      ("1000:1", "the proportions are beyond 1000:1"), ("1:1000", "the proportions are beyond 1000:1"),
      ("4:5@", notAPlace), ("4:5@0.5", notAPlace), ("4:5@0,1.1", notAPlace), ("4:5@nan,0", notAPlace),
      ("square@a,b", notAPlace),
    ])
  func wrongText(text: String, why: String) {
    let error = #expect(throws: SafelightError.self) { try Crop.Region(parameterText: text) }
    #expect(
      error?.description
        == "Cannot crop to “\(text)”: \(why); write 4:5, 16:9@0.5,0.2, square, or X,Y,WIDTH,HEIGHT in pixels."
    )
  }

  @Test(
    "Proportions keep the largest part, placed from edge to edge",
    arguments: [
      // 400 · 4/5 = 320 wide, 280 columns to spare.
      ("4:5", [140, 0, 320, 400]), ("4:5@0,0", [0, 0, 320, 400]), ("4:5@1,1", [280, 0, 320, 400]),
      ("square@0.25,0", [50, 0, 400, 400]),
      // 600 · 9/16 = 337.5 high; halves round up.
      ("16:9@0,0", [0, 0, 600, 338]), ("16:9@0,1", [0, 62, 600, 338]),
      ("3:2", [0, 0, 600, 400]), ("999:1", [0, 200, 600, 1]), ("1:999", [300, 0, 1, 400]),
    ])
  func proportions(text: String, window: [Int]) throws {
    let kept = try Crop.window(of: Crop.Region(parameterText: text), in: Self.size)
    #expect([kept.x, kept.y, kept.width, kept.height] == window)
  }

  @Test(
    "Whatever the proportions and place, the window lies inside and touches two edges", arguments: 0..<300)
  func inside(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let size = PixelSize(
      width: Int.random(in: 1...300, using: &random), height: Int.random(in: 1...300, using: &random))
    let region = Crop.Region.proportions(
      width: Double.random(in: 0.01...9, using: &random), height: Double.random(in: 0.01...9, using: &random),
      x: Double.random(in: 0...1, using: &random), y: Double.random(in: 0...1, using: &random))
    let kept = try Crop.window(of: region, in: size)
    #expect(kept.x >= 0 && kept.y >= 0 && kept.width >= 1 && kept.height >= 1)
    #expect(kept.x + kept.width <= size.width && kept.y + kept.height <= size.height, "\(region) of \(size)")
    #expect(kept.width == size.width || kept.height == size.height)
  }

  @Test("A rectangle may fill the picture, and not reach a pixel beyond")
  func rectangle() throws {
    let whole = Crop(.rectangle(x: 0, y: 0, width: 600, height: 400))
    #expect(try whole.geometry(of: Self.size)?.isIdentity == true)
    let rectangles = [
      (-1, 0, 5, 5), (0, -1, 5, 5), (596, 0, 5, 5), (0, 396, 5, 5), (0, 0, 601, 1), (.max, 0, .max, 1),
    ]
    for (x, y, width, height) in rectangles {
      let crop = Crop(.rectangle(x: x, y: y, width: width, height: height))
      let error = #expect(throws: SafelightError.self) { try crop.geometry(of: Self.size) }
      #expect(
        error?.description == """
          The crop \(x),\(y),\(width),\(height) reaches outside the picture, which is 600×400 at this point; \
          keep X + WIDTH within 600 and Y + HEIGHT within 400.
          """)
    }
  }

  @Test("A crop sees the picture as turned and straightened before it")
  func afterTurn() throws {
    let recipe = Recipe(filters: [Crop(.rectangle(x: 0, y: 500, width: 10, height: 100)), Rotate(.clockwise)])
    let plan = try Plan(recipe, input: PlanInput(size: Self.size), output: PlanOutput())
    #expect(plan.outputSize == PixelSize(width: 10, height: 100))
  }
}
