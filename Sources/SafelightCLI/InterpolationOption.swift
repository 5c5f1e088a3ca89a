import ArgumentParser
import Safelight

extension Interpolation: ExpressibleByArgument {}

/// How much work a turned or enlarged picture is worth; of commands that render.
struct InterpolationOption: ParsableArguments {
  static let explanation =
    "How turned and enlarged pictures are sampled; bilinear is softer and suits small machines"

  @Option(help: ArgumentHelp("\(Self.explanation)", valueName: "kind"))
  var interpolation: Interpolation = .sharp
}
