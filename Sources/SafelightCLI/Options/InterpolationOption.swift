import ArgumentParser
import Safelight

extension Interpolation: ExpressibleByArgument {}

/// The sampling quality of turned and enlarged pictures, for commands that render.
struct InterpolationOption: ParsableArguments {
  static let explanation =
    "How turned and enlarged pictures are sampled; bilinear is softer and suits small machines"

  @Option(help: ArgumentHelp("\(Self.explanation)", valueName: "kind"))
  var interpolation: Interpolation = .sharp
}
