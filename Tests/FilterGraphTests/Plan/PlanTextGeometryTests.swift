import ColorScience
import FilterGraph
import Filters
import FrameCore
import Testing

/// Orientation, turns, crops and sizes.
extension PlanTextTests {
  @Test("Orientation, turns, straightening and a crop are one resample")
  func geometry() throws {
    let filters: [any Filter] = [
      Crop(.proportions(width: 4, height: 5)), Straighten(2), Flip(.horizontal), Rotate(.clockwise),
    ]
    // Turned by 270°, mirrored and turned by 90° is mirrored and turned by 180°; straightening adds 2°.
    #expect(
      try plan(filters, orientation: .left).description == """
        plan  6000×4000 rgba8 sRGB, orientation 8  →  3042×3803 rgba8 sRGB
          1  geometry  flip · turn -178.00° · window 3042×3803  kaiser-sinc, two passes
          2  store     rgba8

        """)
  }

  @Test("A largest size joins the resample as a resize does, and leaves what is smaller as it is")
  func maximumSize() throws {
    let input = PlanInput(size: PixelSize(width: 6000, height: 4000))
    func text(_ filters: [any Filter], _ box: PixelSize? = nil) throws -> String {
      try Plan(
        Recipe(filters: filters), input: input, output: PlanOutput(maximumSize: box)
      ).description
    }
    let look: [any Filter] = [Straighten(2), Crop(.proportions(width: 4, height: 5)), Exposure(stops: 0.3)]
    let box = PixelSize(width: 1500, height: 1500)
    #expect(try text(look, box) == text(look + [Resize(longEdge: 1500)]))
    #expect(try text(look + [Resize(longEdge: 1200)], box) == text(look + [Resize(longEdge: 1200)]))
    #expect(try text([Resize(longEdge: 1800)], box) == text([Resize(longEdge: 1500)]))
    #expect(
      try text([], PixelSize(width: 9000, height: 1000))
        == text([Resize(.within(PixelSize(width: 9000, height: 1000)))]))
  }

  @Test("A resize joins the resample, and its downsampling is split off: encoded samples at 1.36, still")
  func geometryAndResize() throws {
    let filters: [any Filter] = [
      Resize(longEdge: 2800), Crop(.proportions(width: 4, height: 5)), Straighten(2), Rotate(.clockwise),
    ]
    #expect(
      try plan(filters, orientation: .left).description == """
        plan  6000×4000 rgba8 sRGB, orientation 8  →  2240×2800 rgba8 sRGB
          1  downsample  6000×4000 → 2345×2885  ÷1.36  kaiser-sinc in encoded samples
          2  geometry    turn 2.00° · window 2240×2800  kaiser-sinc
          3  store       rgba8

        """)
  }

  @Test("A downsampling by 1.3 keeps encoded samples; one by 4 averages light")
  func shrink() throws {
    #expect(
      try plan([Resize(longEdge: 4615)]).description == """
        plan  6000×4000 rgba8 sRGB  →  4615×3077 rgba8 sRGB
          1  downsample  6000×4000 → 4615×3077  ÷1.30  kaiser-sinc in encoded samples
          2  store       rgba8

        """)
    #expect(
      try plan([Resize(longEdge: 1500)]).description == """
        plan  6000×4000 rgba8 sRGB  →  1500×1000 rgba8 sRGB
          1  downsample  6000×4000 → 1500×1000  ÷4.00  kaiser-sinc in linear light
          2  store       rgba8

        """)
  }

  @Test("A quarter turn remains after a downsampling, and moves whole pixels")
  func shrinkAndTurn() throws {
    #expect(
      try plan([Rotate(.clockwise), Resize(longEdge: 1500)]).description == """
        plan  6000×4000 rgba8 sRGB  →  1000×1500 rgba8 sRGB
          1  downsample  6000×4000 → 1500×1000  ÷4.00  kaiser-sinc in linear light
          2  geometry    turn 90.00°  exact
          3  store       rgba8

        """)
  }

  @Test("An enlargement is a resample, with a note")
  func enlarge() throws {
    let plan = try plan([Resize(longEdge: 9000)])
    #expect(
      plan.description == """
        plan  6000×4000 rgba8 sRGB  →  9000×6000 rgba8 sRGB
          1  geometry  scale ×1.500 · window 9000×6000  kaiser-sinc, two passes
          2  store     rgba8

        """)
    #expect(plan.notes == ["resize enlarges the picture from 6000×4000"])
  }

  @Test("A crop and a quarter turn move whole pixels")
  func exactMoves() throws {
    #expect(
      try plan([Crop(.rectangle(x: 10, y: 20, width: 300, height: 200))]).description == """
        plan  6000×4000 rgba8 sRGB  →  300×200 rgba8 sRGB
          1  geometry  window 300×200 at 10,20  exact
          2  store     rgba8

        """)
    #expect(
      try plan([Rotate(.clockwise)]).description == """
        plan  6000×4000 rgba8 sRGB  →  4000×6000 rgba8 sRGB
          1  geometry  turn 90.00°  exact
          2  store     rgba8

        """)
    #expect(
      try plan([Flip(.horizontal), Crop(.square)]).description == """
        plan  6000×4000 rgba8 sRGB  →  4000×4000 rgba8 sRGB
          1  geometry  flip · window 4000×4000 at 4999,0  exact
          2  store     rgba8

        """)
  }

  @Test("Moves that undo each other vanish")
  func vanishingMoves() throws {
    let empty = try plan([]).description
    #expect(try plan([Flip(.horizontal), Flip(.horizontal)]).description == empty)
    #expect(try plan([Rotate(.halfTurn), Flip(.horizontal), Flip(.vertical)]).description == empty)
    let turned = try plan([Rotate(.clockwise)], orientation: .left)
    #expect(turned.stages.isEmpty)
    #expect(turned.outputSize == Self.photo)
  }

  @Test("Two passes are for small turns of 8-bit pictures, about any quarter turn")
  func twoPasses() throws {
    func sampling(
      _ degrees: Float, _ format: PixelFormat = .rgba8, orientation: Orientation = .up,
      alpha: AlphaMode = .opaque, resize: Bool = false
    ) throws -> SamplingOrder? {
      let filters: [any Filter] = [Straighten(degrees)] + (resize ? [Resize(longEdge: 100)] : [])
      let plan = try Plan(
        Recipe(filters: filters),
        input: PlanInput(
          size: PixelSize(width: 600, height: 400), format: format, orientation: orientation, alpha: alpha),
        output: PlanOutput())
      return plan.stages.compactMap { stage in
        if case .geometry(let geometry) = stage { geometry.order } else { nil }
      }.first
    }
    for orientation in Orientation.allCases {
      let order: SamplingOrder = orientation.rawValue >= 5 ? .columnsFirst : .rowsFirst
      #expect(try sampling(2, orientation: orientation) == order)
      #expect(try sampling(-14.9, .nv12, orientation: orientation) == order)
      #expect(try sampling(15.1, orientation: orientation) == .direct)
      // Whole pixels are copied, but not the colour differences of cameras, which lie between them.
      guard orientation != .up else { continue }
      #expect(try sampling(0, .nv12, orientation: orientation) == order)
      #expect(try sampling(0, orientation: orientation) == .direct)
    }
    #expect(try sampling(2, .rgba16) == .direct)
    #expect(try sampling(2, .rgbaF32) == .direct)
    #expect(try sampling(2, alpha: .straight) == .direct)
    #expect(try sampling(2, resize: true) == .direct)
  }

  @Test("Bilinear interpolation is asked for by the output, and said")
  func bilinear() throws {
    let input = PlanInput(size: PixelSize(width: 1920, height: 1080), format: .nv12)
    let plan = try Plan(
      Recipe(filters: [Straighten(20)]), input: input, output: PlanOutput(interpolation: .bilinear))
    #expect(
      plan.description == """
        plan  1920×1080 nv12 sRGB  →  1240×697 rgba8 sRGB
          1  geometry  turn 20.00° · window 1240×697  bilinear
          2  ycbcr     nv12 BT.709 limited, chroma left → RGB  bilinear
          3  store     rgba8

        """)
  }

  @Test("Straightening with its corners kept says that they are transparent")
  func corners() throws {
    // 6000·cos 3.5° + 4000·sin 3.5° = 6233.0, 6000·sin 3.5° + 4000·cos 3.5° = 4358.8.
    #expect(
      try plan([Straighten(-3.5, corners: .keep)]).description == """
        plan  6000×4000 rgba8 sRGB  →  6234×4359 rgba8 sRGB
          1  geometry  turn -3.50° · window 6234×4359 · transparent corners  kaiser-sinc, two passes
          2  store     rgba8

        """)
  }

  @Test("A turn that keeps its corners cannot follow a crop: what was cropped away would show in them")
  func cropThenKeep() throws {
    let input = PlanInput(size: PixelSize(width: 90, height: 60))
    let keep = Straighten(20, corners: .keep)
    for hiding in [Crop(.square), Straighten(3)] as [any Filter] {
      #expect(
        throws: SafelightError(
          .unsupported,
          "A rotation that keeps its empty corners follows a crop, and what was cropped would show in those corners",
          remedy: "rotate first and crop afterwards, or let the rotation crop its corners")
      ) {
        try Plan(Recipe(order: .listed, filters: [hiding, keep]), input: input, output: PlanOutput())
      }
    }
    for harmless in [Rotate(.clockwise), Flip(.vertical), Resize(longEdge: 40)] as [any Filter] {
      _ = try Plan(Recipe(order: .listed, filters: [harmless, keep]), input: input, output: PlanOutput())
    }
    // In canonical order the turn comes first anyway.
    _ = try Plan(Recipe(filters: [Crop(.square), keep]), input: input, output: PlanOutput())
  }

  @Test("A fixed output size is one more scaling of the same resample, exact in both edges")
  func fixedOutputSize() throws {
    let size = PixelSize(width: 6000, height: 4000)
    let turned = try plan([Straighten(2)], output: PlanOutput(size: size))
    #expect(turned.outputSize == size && turned.stages.count == 1)
    // What scaling up undoes is what the turn cropped: corners of the output stay inside the input.
    let free = try plan([Straighten(2)])
    guard case .geometry(let fixed)? = turned.stages.first, case .geometry(let cropped)? = free.stages.first
    else {
      Issue.record("a turn is one resample")
      return
    }
    for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
      let a = fixed.map.apply(x * 6000, y * 4000)
      let b = cropped.map.apply(x * Double(free.outputSize.width), y * Double(free.outputSize.height))
      #expect(abs(a.x - b.x) < 1e-6 && abs(a.y - b.y) < 1e-6)
    }
    #expect(try plan([], output: PlanOutput(size: size)).stages.isEmpty)
  }
}
