import ArgumentParser
import Safelight

extension Backend: ExpressibleByArgument {}

/// The backend options, shared by all commands that render.
struct BackendOptions: ParsableArguments {
  // Optional: a named GPU is used unless another backend is requested.
  @Option(
    help: ArgumentHelp(
      "What renders; auto: the CPU, or for live frames and batches the GPU if it was measured to be faster (default: auto, or vulkan with --gpu)",
      valueName: "backend"))
  var backend: Backend?

  @Option(
    name: .customLong("gpu"), parsing: .unconditional,
    help: ArgumentHelp(
      "The GPU, by its number or part of its name (default: \(GPUSelector.variable), or the best one); list shows all",
      valueName: "number|name|list"), transform: Self.selector)
  var gpu: GPUSelector?

  mutating func validate() throws {
    if let backend, !backend.mayUseGPU, gpu != nil {
      throw ValidationError(
        "--gpu has no effect with --backend \(backend.rawValue); leave one of them out, or give --backend vulkan."
      )
    }
  }

  /// The backend that the flags request.
  var asked: Backend { backend ?? (gpu == nil ? .auto : .vulkan) }

  /// The request from the flags, or else from the environment.
  var request: BackendRequest {
    get throws {
      let backend = asked
      return try BackendRequest(
        backend, gpu: backend.mayUseGPU ? gpu ?? GPUSelector.fromEnvironment() : nil)
    }
  }

  private static func selector(_ text: String) throws -> GPUSelector {
    do {
      return try GPUSelector(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }
}
