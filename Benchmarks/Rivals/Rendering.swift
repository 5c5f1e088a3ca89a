import Glibc
import Safelight

/// A prepared plan with its picture and memory for the result: Safelight's part of most works.
final class Rendering {
  let renderer: CPURenderer
  let prepared: any PreparedPlan
  let source: PixelBuffer
  let output: PixelBuffer

  init(
    _ filters: [any Filter], on source: PixelBuffer, threads: Int = 1, output: PlanOutput = PlanOutput()
  ) throws {
    renderer = CPURenderer(threads: threads)
    self.source = source
    prepared = try renderer.prepare(
      renderer.plan(Recipe(filters: filters), input: PlanInput(source), output: output))
    self.output = try PixelBuffer(size: prepared.plan.outputSize, format: output.format)
  }

  func render() throws { try prepared.render(source, into: output) }

  /// - Parameter instructions: as `FunctionRunner` takes it.
  func runner(_ instructions: InstructionSet? = nil) -> FunctionRunner {
    FunctionRunner(instructions: instructions, result: { Picture(self.output) }) { try self.render() }
  }

  /// The map from output to source pixels with whole numbers at pixel centres, as in other programs: a, b, c, d,
  /// e, f.
  var mapOfCentres: [Double] {
    for stage in prepared.plan.exactStages {
      guard case .geometry(let geometry) = stage else { continue }
      let map = geometry.map
      let shift = map.apply(0.5, 0.5)
      return [map.a, map.b, shift.x - 0.5, map.d, map.e, shift.y - 0.5]
    }
    return [1, 0, 0, 0, 1, 0]
  }
}

extension Rendering {
  /// As `mapOfCentres`, for a plan with a projection: the rows of its matrix.
  var projectionOfCentres: [Double] {
    for stage in prepared.plan.exactStages {
      guard case .geometry(let geometry) = stage, let projection = geometry.projection else { continue }
      let map = Projection(AffineMap.translation(0.5, 0.5).then(geometry.map)).then(projection)
        .then(.translation(-0.5, -0.5))
      return [map.a, map.b, map.c, map.d, map.e, map.f, map.g, map.h, map.i]
    }
    return [1, 0, 0, 0, 1, 0, 0, 0, 1]
  }
}

/// Memory copies: the time that the machine needs only to move the bytes of a work.
func copying(_ pairs: @escaping (Workshop) throws -> [(from: PixelBuffer, to: PixelBuffer)]) -> (Workshop)
  throws
  -> any Runner
{
  { workshop in
    let pairs = try pairs(workshop)
    return FunctionRunner {
      for (from, to) in pairs {
        for (source, target) in zip(from.planes, to.planes) {
          memcpy(target.base, source.base, source.rowBytes * source.rows)
        }
      }
    }
  }
}
