import ColorScience
import FilterGraph
import Filters
import FrameCore
import Rendering
import TestSupport
import Testing

@testable import VulkanRendering

/// Programs of plans, without a device.
@Suite("The program of a plan")
struct PlanProgramTests {
  private func plan(
    _ filters: [any Filter], _ size: PixelSize = PixelSize(width: 97, height: 61),
    _ format: PixelFormat = .rgba8, output: PlanOutput = PlanOutput(), alpha: AlphaMode = .opaque
  ) throws -> Plan {
    try Plan(
      Recipe(filters: filters), input: PlanInput(size: size, format: format, alpha: alpha), output: output,
      evaluator: CPURenderer(threads: 1).evaluator)
  }

  private func program(_ filters: [any Filter], _ format: PixelFormat = .rgba8) throws -> PlanProgram {
    try PlanProgram(plan(filters, format: format))
  }

  private func plan(_ filters: [any Filter], format: PixelFormat) throws -> Plan {
    try plan(filters, PixelSize(width: 97, height: 61), format)
  }

  @Test(
    "has two kernels more where the plan removes noise, which convert a camera's samples in the frame's stead"
  )
  func denoising() throws {
    let program = try program([NoiseReduction(luminance: 30)], .nv12)
    #expect(program.variants.map(\.shader) == [.frame, .denoiseGuide, .denoise])
    // The frame reads what they leave: rgba16. They read nv12; the first leaves planes of floats.
    #expect(program.variants.map { Array($0.constants[0..<2]) } == [[1, 0], [6, 2], [6, 1]])
    let denoised = try #require(program.denoised)
    #expect([denoised.guideVariant, denoised.variant] == [1, 2])

    let filters: [any Filter] = [NoiseReduction(luminance: 0, color: 30), Resize(longEdge: 40), Sharpen(50)]
    let all = try PlanProgram(plan(filters))
    #expect(
      all.variants.map(\.shader) == [.frame, .horizontal, .vertical, .sharpen, .denoiseGuide, .denoise])
    #expect(all.denoised?.guideVariant == 4 && all.sharpened?.variant == 3)
  }

  @Test("removes noise in bands that begin on whole groups of rows, each with what its guide needs")
  func denoisedBands() throws {
    let program = try PlanProgram(plan([NoiseReduction(luminance: 30)], PixelSize(width: 100, height: 90)))
    let row = 100 * 16
    let bands = program.denoisedBands(of: 0..<90, guideBytes: 50 * row)
    #expect(bands == [0..<32, 32..<64, 64..<90])
    #expect(bands.map { program.guideTransfer(for: $0).layout.rows } == [0..<40, 24..<72, 56..<90])
    #expect(bands.map { program.sourceRows(forDenoised: $0) } == [0..<56, 8..<88, 40..<90])
    // However little memory there is.
    #expect(program.denoisedBands(of: 0..<90, guideBytes: 1).first == 0..<16)
  }

  // MARK: Variants

  @Test("is one kernel where nothing is downsampled, with what the plan needs as its constants")
  func frameVariant() throws {
    let program = try program([Straighten(3), Saturation(20)])
    try #require(program.plan.stages.count == 2, "\(program.plan)")
    // rgba8 to rgba8, sharp, rows first, opaque, clipped, not dithered; one stage, of the seventh kind.
    #expect(
      program.variants == [
        ShaderVariant(
          shader: .frame,
          constants: [0, 0, 2, 0, 1, 0, 0, 1, 0, 1, 96, 7] + [UInt32](repeating: 0, count: 13))
      ])
    #expect(program.downsampling == nil)
  }

  @Test("converts a camera's samples in the same kernel")
  func cameraVariant() throws {
    let program = try program([Straighten(3, corners: .keep)], .nv12)
    // nv12 to rgba8, luma and colour differences sharp, rows first, transparent outside.
    #expect(program.variants.map { $0.constants.prefix(10) } == [[6, 0, 2, 2, 1, 1, 0, 1, 0, 0]])
    // In its place only colour differences lie between samples.
    #expect(try self.program([], .nv12).variants[0].constants.prefix(5) == [6, 0, 0, 2, 0])
  }

  @Test("downsamples with two kernels more, and samples what they made")
  func reductionVariants() throws {
    let program = try PlanProgram(
      plan([Resize(longEdge: 40), Straighten(9)], PixelSize(width: 97, height: 61), .rgba8, alpha: .straight))
    #expect(program.variants.map(\.shader) == [.frame, .horizontal, .vertical])
    let constants = program.variants.map { Array($0.constants.prefix(12)) }
    // The frame reads 16 bit; the downsampling decodes 8 bit to float, and encodes that to 16 bit.
    #expect(constants[0] == [1, 0, 2, 0, 0, 0, 1, 1, 0, 0, 96, 0])
    #expect(constants[1] == [0, 2, 0, 0, 0, 0, 1, 1, 0, 1, 32, 2])
    #expect(constants[2] == [2, 1, 0, 0, 0, 0, 1, 1, 0, 1, 64, 2])
    let downsampling = try #require(program.downsampling)
    #expect(downsampling.horizontalSize.height == 61 && downsampling.horizontalFormat == .rgbaF32)
    #expect(
      downsampling.downsampledSize.width == downsampling.horizontalSize.width
        && downsampling.downsampledFormat == .rgba16)
  }

  @Test("says behind a projection where places are in the picture as stored, and how samples are weighted")
  func projection() throws {
    let corners = [SIMD2(0.1, 0.05), SIMD2(0.9, 0), SIMD2(1, 1), SIMD2(0, 0.9)]
    let filters: [any Filter] = [Perspective(.places(corners)), Resize(longEdge: 30)]
    let program = try program(filters, .nv12)
    let constants = try #require(program.variants.first).constants
    #expect(constants.last == 1)
    #expect(constants[2] == 2 && constants[4] == 1, "sharp, and rows first")
    let list = Int(program.tables[29])
    let numbers = program.tables[list + 1..<list + 5].map { Double(Float(bitPattern: $0)) }
    let (geometry, projected) = (try #require(program.geometry), try #require(program.plan.projected))
    for (x, y) in [(0.5, 0.5), (20, 3), (29.5, 11)] {
      let (own, stored) = (geometry.place(x, y), projected.place(x, y))
      #expect(abs(numbers[0] * own.x + numbers[2] - stored.x) < 1e-4)
      #expect(abs(numbers[1] * own.y + numbers[3] - stored.y) < 1e-4)
    }
    #expect(program.tables[list + 5] == 0, "no lens")
    let kernel = Int(program.tables[list])
    for distance in [0, 0.5, 1.25, 3] {
      let weight = Double(Float(bitPattern: program.tables[kernel + Int(256 * distance)]))
      #expect(abs(weight - KaiserSinc.weight(distance)) < 1e-6)
    }
  }

  @Test("compiles nothing anew while a slider is dragged")
  func sliders() throws {
    let programs = try [0.1, 0.7, -1.2].map {
      try PlanProgram(
        plan([Exposure(stops: $0), Saturation(30), Straighten(2)], output: PlanOutput(format: .rgba16)))
    }
    #expect(Set(programs.map(\.variants)).count == 1)
    #expect(Set(programs.map(\.tables)).count == 3)
  }

  @Test("has as many constants as each shader has", arguments: Shader.allCases)
  func constants(_ shader: Shader) throws {
    let code = try shader.code()
    var identifiers: [UInt32] = []
    var word = 5
    while word < code.count {
      let (operation, length) = (code[word] & 0xffff, Int(code[word] >> 16))
      try #require(length > 0)
      // OpDecorate target SpecId identifier
      if operation == 71, code[word + 2] == 1 { identifiers.append(code[word + 3]) }
      word += length
    }
    let count = try program([]).variants[0].constants.count
    #expect(identifiers.allSatisfy { $0 < count })
    // Kinds are used by all shaders.
    #expect(identifiers.max() == UInt32(count - 1))
  }

  // MARK: Tables

  @Test("holds the numbers of stages in their slots, the kind as the last word")
  func slots() throws {
    let program = try PlanProgram(plan([Exposure(stops: 1)], output: PlanOutput(format: .rgba16)))
    // Decode sRGB, multiply by 2, encode.
    #expect(program.variants[0].constants[9...13] == [3, 96, 2, 1, 2])
    let kinds = [3, 4, 5].map { slot -> UInt32 in program.tables[32 * slot + 31] }
    #expect(kinds == [2, 1, 2])
    let matrix = program.tables[128..<137].map(Float.init(bitPattern:))
    for (value, double) in zip(matrix, [2, 0, 0, 0, 2, 0, 0, 0, 2] as [Float]) {
      #expect(abs(value - double) < 1e-6, "\(matrix)")
    }
    // IEC 61966-2-1: toe and slope of the decoding curve.
    let (toe, slope) = (Float(bitPattern: program.tables[96]), Float(bitPattern: program.tables[97]))
    #expect(toe == 0.04045)
    #expect(abs(slope - 1 / 12.92) < 1e-7)
  }

  @Test("holds a table's nodes in pairs of words")
  func nodes() throws {
    let program = try program([Saturation(20)])
    guard case .baked(let lut)? = program.plan.stages.first else {
      Issue.record("\(program.plan)")
      return
    }
    let (first, size) = (Int(program.tables[96]), Int(program.tables[97]))
    #expect(size == lut.size)
    for node in [0, 1, size, size * size * size - 1] {
      let (low, high) = (program.tables[2 * (first + node)], program.tables[2 * (first + node) + 1])
      let channels = [low, low >> 16, high].map { Int16(truncatingIfNeeded: $0) }
      #expect(channels == Array(lut.nodes.codes[4 * node..<4 * node + 3]))
    }
  }

  @Test("runs every kind of plan, of more stages than kernels have constants for too")
  func manyStages() throws {
    let table = try LUT1D(samples: [SIMD3(0, 0, 0), SIMD3(0.5, 0.6, 0.7), SIMD3(1, 1, 1)])
    let filters = (1...20).map {
      LUT(ColorLUT(shaper: table), name: "\($0).cube", strength: Float($0))
    }
    let program = try PlanProgram(plan(filters, output: PlanOutput(format: .rgba16)))
    #expect(program.variants[0].constants[9] == 20)
    #expect(program.variants[0].constants.count == 25)
    #expect((0..<20).allSatisfy { program.tables[96 + 32 * $0 + 31] == 6 })
  }

  @Test("weighs a downsampling's samples to a sum of 1")
  func taps() throws {
    let program = try program([Resize(longEdge: 40)])
    let size = try #require(program.downsampling).downsampledSize
    for (head, count, limit) in [(14, size.width, 97), (15, size.height, 61)] {
      let list = Int(program.tables[head])
      for index in 0..<count {
        let (first, taps, weights) = (
          Int(program.tables[list + 3 * index]), Int(program.tables[list + 3 * index + 1]),
          Int(program.tables[list + 3 * index + 2])
        )
        #expect(taps > 0 && first + taps <= limit)
        let sum = (0..<taps).reduce(Float(0)) { $0 + Float(bitPattern: program.tables[weights + $1]) }
        #expect(abs(sum - 1) < 1e-5)
      }
    }
  }

  @Test("says which rows a downsampling needs, with those that a camera's colour differences reach")
  func reducedRows() throws {
    let plain = try program([Resize(longEdge: 40)])
    let camera = try program([Resize(longEdge: 40)], .i420)
    let height = try #require(plain.downsampling).downsampledSize.height
    #expect(plain.sourceRows(forDownsampled: 0..<height) == 0..<61)
    let (rows, wider) = (
      plain.sourceRows(forDownsampled: 10..<11), camera.sourceRows(forDownsampled: 10..<11)
    )
    // Six taps, 97/40 samples apart.
    #expect(rows.count >= 13 && rows.count <= 16)
    // A colour difference lies half a pixel below the first of its two rows, and six of them are weighed.
    func differences(_ row: Int) -> Range<Int> {
      let place = Int(((Double(row) - 0.5) / 2).rounded(.down))
      return 2 * (place - 2)..<2 * (place + 3) + 2
    }
    #expect(wider.lowerBound <= differences(rows.lowerBound).lowerBound)
    #expect(wider.upperBound >= differences(rows.upperBound - 1).upperBound)
    #expect(wider.count <= rows.count + 14)
    #expect(wider.lowerBound % 2 == 0 && wider.upperBound % 2 == 0)
  }
}
