import FrameCore
import LibraryTestSupport
import Safelight
import Testing

@testable import LiveVideo

@Suite("The plan that is explained for live frames is the plan that runs")
struct ExplainedLivePlanTests {
  private static let formats: [PixelFormat] = [.yuyv422, .nv12, .i420, .gray8, .rgba8, .rgba16, .rgbaF32]

  @Test("for every format of frames, on screens and in videos, with and without an edit", arguments: formats)
  func everyFormat(format: PixelFormat) throws {
    let size = PixelSize(width: 64, height: 48)
    let tags =
      format.isRGBA
      ? ColorTags.sRGB
      : ColorTags(
        primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited)
    let buffer = try PixelBuffer(size: size, format: format, tags: tags)
    let recipe = Recipe {
      Straighten(3)
      Saturation(20)
    }
    for look in [LiveLook(), LiveLook(recipe, strength: 0.5), LiveLook(recipe, level: 2)] {
      for keepsSpace in [false, true] {
        for interpolation in [Interpolation.sharp, .bilinear] {
          let renderer = CPURenderer(threads: 1)
          let compiler = try LookCompiler(
            look, isLive: false, interpolation: interpolation, renderer: renderer,
            keepsSpace: { _ in keepsSpace })
          defer { compiler.close() }
          let run = try compiler.plan(for: Frame(buffer: buffer)).prepared.plan
          let explained = try look.plan(
            for: PlanInput(buffer), keepsSpace: keepsSpace, interpolation: interpolation, renderer: renderer)
          #expect(explained == run, "\(explained)\n\(run)")
          #expect(run.output.format == .rgba8 && run.dithers == (format.bitsPerSample > 8))
        }
      }
    }
  }
}
