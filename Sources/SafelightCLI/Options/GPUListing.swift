import Safelight

/// `--gpu list`: prints the machine's GPUs, whatever else the command line says.
struct GPUListing {
  private let asJSON: Bool

  /// Returns nil if the list was not requested.
  ///
  /// - Parameter arguments: the arguments without the program's name.
  init?(_ arguments: some Collection<String>) {
    // Everything after a `--` is a file name.
    let flags = Array(arguments.prefix { $0 != "--" })
    let isAsked = zip(flags, flags.dropFirst()).contains { $0 == ("--gpu", "list") }
    guard isAsked || flags.contains("--gpu=list") else { return nil }
    asJSON = flags.contains("--json")
  }

  func print() throws {
    let report = try GPUListReport()
    if asJSON { return try Output.json(report) }
    Output.line(Self.text(report))
  }

  static func text(_ report: GPUListReport) -> String {
    guard !report.gpus.isEmpty else { return "No GPU: " + (report.problem ?? "Vulkan lists none.") }
    let names = report.gpus.map(\.name.count).max() ?? 0
    var lines = report.gpus.flatMap { gpu in
      let facts = [
        gpu.kind.rawValue, "\(PlainNumber.fixed(Double(gpu.memoryBytes) / 1e9, 1)) GB", gpu.driver,
        "Vulkan \(gpu.vulkanVersion)",
      ].filter { !$0.isEmpty }.joined(separator: ", ")
      return ["\(gpu.number)  \(gpu.name.padded(to: names, left: true))  \(facts)"]
        + (gpu.problem.map { ["   cannot be used: it \($0)"] } ?? [])
    }
    if !report.gpus.contains(where: { $0.problem == nil && $0.kind != .software }) {
      lines.append("None of them is usable hardware: --backend auto renders on the CPU.")
    }
    return lines.joined(separator: "\n")
  }
}
