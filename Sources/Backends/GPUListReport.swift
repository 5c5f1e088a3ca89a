import FrameCore

/// The machine's GPUs, as `safelight --gpu list --json` prints them.
public struct GPUListReport: JSONReport, Hashable {
  /// The GPUs in the order of their numbers, including those that cannot be used.
  public var gpus: [GPUDescription]
  /// Why there are none; nil if there are some.
  public var problem: String?

  /// Lists the GPUs. If Vulkan lists none, the report gives the reason.
  public init() throws { try self.init(listing: GPUList.all) }

  init(listing list: () throws -> [GPUDescription]) throws {
    do {
      gpus = try list()
    } catch let error as SafelightError {
      // That there are none is an answer too.
      (gpus, problem) = ([], error.description)
    }
  }
}
