import FilterGraph
import Rendering

/// The expected cost of a plan, from measured costs per pixel of its stages.
///
/// The figures are for one core with AVX-512 at about 4 GHz, scaled by the instruction set in use: good for
/// comparing plans, not for predicting times.
package struct PlanCost: Sendable {
  package struct Row: Sendable {
    package let stage: String
    /// What of its input the stage reads for a pixel.
    package let footprint: Footprint
    package let megapixels: Double
    package let nanosecondsPerPixel: Double
    package var milliseconds: Double { megapixels * nanosecondsPerPixel }
  }

  package let rows: [Row]
  package var milliseconds: Double { rows.reduce(0) { $0 + $1.milliseconds } }

  package init(_ plan: Plan, instructionSet: String = CPURenderer.instructionSet) {
    let slower: Double =
      switch instructionSet {
      case "AVX3", "AVX3_DL": 1
      case "AVX2", "NEON": 1.6
      case "SSE4": 4
      default: 12
      }
    let output = Double(plan.outputSize.pixelCount) / 1e6
    rows = plan.stages.map { stage in
      let (pixels, nanoseconds): (Double, Double) =
        switch stage {
        case .downsample(let downsample): (Double(downsample.inputSize.pixelCount) / 1e6, 4.5)
        case .geometry(let geometry): (output, geometry.pixelMove == nil ? 6 : 0.5)
        case .ycbcr: (output, 2)
        case .denoise(let denoising):
          (Double(plan.input.size.pixelCount) / 1e6, Self.nanoseconds(denoising))
        case .channelTables: (output, 1)
        case .baked: (output, 1.8)
        case .matrix: (output, 0.2)
        case .curve: (output, 2)
        case .pointwise: (output, 3)
        case .field(let field, _): (output, Self.nanoseconds(field))
        case .masked(let groups): (output, Self.nanoseconds(groups))
        case .sharpen(let sharpening): (output, 2 + 0.3 * Double(sharpening.halo))
        case .lut: (output, 4)
        }
      return Row(
        stage: stage.description, footprint: stage.footprint, megapixels: pixels,
        nanosecondsPerPixel: nanoseconds * slower)
    }
  }

  /// Colour has two planes with half the blocks of luma.
  private static func nanoseconds(_ denoising: Denoising) -> Double {
    let strengths = denoising.strengths
    return 7 + (strengths[0] == 0 ? 0 : 16) + (strengths[1] == 0 ? 0 : 16)
  }

  private static func nanoseconds(_ field: Field) -> Double {
    (field.local == nil ? 1.5 : 5) + (field.addsLight ? 6 : 0) + (field.texture == nil ? 0 : 1)
      + field.masks.reduce(0) { $0 + 0.6 + 0.3 * Double($1.mask.steps.count) }
  }

  /// Of groups: lightness and colour, once for all masks that look at them, then each group's mask, its own fields and
  /// stages and the mix.
  private static func nanoseconds(_ groups: [MaskedGroup]) -> Double {
    groups.reduce(groups.contains { $0.mask.readsColor } ? 2.5 : 0) { sum, group in
      sum + 0.6 + 0.3 * Double(group.mask.steps.count)
        + group.fields.reduce(0) { $0 + nanoseconds($1) }
        + group.stages.reduce(0) { sum, stage in
          switch stage {
          case .matrix: sum + 0.2
          case .curve: sum + 2
          case .pointwise: sum + 3
          case .lut: sum + 4
          // No part of a group.
          case .geometry, .downsample, .ycbcr, .denoise, .field, .masked, .sharpen, .channelTables, .baked:
            sum
          }
        }
    }
  }
}
