import ColorScience
import FilterGraph
import FrameCore
import Testing

@testable import Filters

@Suite("Detail of camera raws")
struct RawDetailTests {
  private func plan(
    _ filters: [any Filter] = [], iso: Float? = nil, isRaw: Bool = true, size: Int = 64, box: Int? = nil
  ) throws -> Plan {
    var input = PlanInput(size: PixelSize(width: size, height: size), format: .rgba16, space: .linearRec2020)
    if isRaw { input.scene = SceneLight(exposure: 0.7, asked: 0, white: 0.25, iso: iso) }
    var output = PlanOutput(format: .rgba16, space: .sRGB)
    output.maximumSize = box.map { PixelSize(width: $0, height: $0) }
    return try Plan(Recipe(filters: filters), input: input, output: output)
  }

  private func masks(_ plan: Plan) -> [UnsharpMask] {
    plan.exactStages.flatMap { stage -> [UnsharpMask] in
      if case .sharpen(let sharpening) = stage { sharpening.masks } else { [] }
    }
  }

  @Test("Raws are sharpened by themselves, less the higher their sensitivity; other pictures are not")
  func sharpening() throws {
    #expect(masks(try plan(isRaw: false)).isEmpty)
    let sensitivities: [Float?] = [nil, 100, 400, 1600, 12_800, 102_400]
    let amounts = try sensitivities.map { iso in
      let masks = masks(try plan(iso: iso))
      #expect(masks.count == 1)
      return masks[0].amount
    }
    #expect(abs(amounts[0] - 0.4) < 1e-9 && amounts[0] == amounts[1] && amounts[1] == amounts[2])
    #expect(abs(amounts[3] - 0.34) < 1e-6 && abs(amounts[4] - 0.25) < 1e-6 && amounts[5] == amounts[4])
  }

  @Test("Specks of colour are removed from ISO 200 on, grain from 400 on")
  func noise() throws {
    #expect(try plan(iso: 100).denoising == nil && plan(iso: 200).denoising == nil)
    #expect(try plan(iso: .nan).denoising == nil && plan(iso: -3).denoising == nil)
    #expect(try plan(iso: 6400, isRaw: false).denoising == nil)
    let middle = try #require(try plan(iso: 800).denoising)
    #expect(abs(middle.color - 2.0 / 3) < 1e-6 && abs(middle.luminance - 0.12) < 1e-6)
    #expect(abs(middle.colorDetail - 0.375) < 1e-6 && abs(middle.luminanceDetail - 0.46) < 1e-6)
    let high = try #require(try plan(iso: 12_800).denoising)
    #expect(high.color == 1 && abs(high.luminance - 0.6) < 1e-6 && high.colorDetail == 0)
  }

  @Test("A filter decides against it, and others come on top")
  func chosen() throws {
    let none = try plan([RawDetail(.none)], iso: 6400)
    #expect(masks(none).isEmpty && none.denoising == nil)
    #expect(masks(try plan([RawDetail(.automatic)])).count == 1)
    #expect(masks(try plan([Sharpen(30)])).map(\.amount) == [0.3, 0.4])
    let more = try #require(try plan([NoiseReduction(luminance: 50)], iso: 800).denoising)
    #expect(abs(more.luminance - (1 - 0.5 * 0.88)) < 1e-6 && abs(more.color - 2.0 / 3) < 1e-6)
  }

  @Test("Noise that averaging takes away is not looked for")
  func averaged() throws {
    #expect(try plan(iso: 6400, size: 640, box: 320).denoising != nil)
    #expect(try plan(iso: 6400, size: 640, box: 200).denoising == nil)
    // Asked for, it is removed at any size.
    #expect(try plan([NoiseReduction(luminance: 30)], iso: 6400, size: 640, box: 200).denoising != nil)
  }

  @Test("Of a small copy nothing is said: nobody has asked for it")
  func small() throws {
    let plan = try plan(size: 640, box: 64)
    #expect(masks(plan).isEmpty && plan.notes.isEmpty)
    #expect(try self.plan([Sharpen(30)], size: 640, box: 64).notes.count == 1)
  }

  @Test("In a group it has no meaning")
  func group() {
    #expect(throws: SafelightError.self) { try plan([Group(nil, filters: [RawDetail(.none)])]) }
  }
}
