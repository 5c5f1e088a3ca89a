import LibraryTestSupport
import Foundation
import Safelight
import Testing

@Suite("Backends")
struct BackendTests {
  /// A machine without any device of Vulkan, whatever this one has.
  private static let noDevice = [
    "VK_ICD_FILENAMES": "/nonexistent.json", "VK_DRIVER_FILES": "/nonexistent.json",
  ]

  private static let devices: [GPUDescription] = (try? GPUList.all().filter { $0.problem == nil }) ?? []

  private static var aDevice: ConditionTrait {
    .enabled(if: !devices.isEmpty, "no device of Vulkan can be used here")
  }

  @Test(
    "--gpu list lists devices with any command, whatever else it lacks, and ends well", aDevice,
    arguments: [
      ["--gpu", "list"], ["edit", "--gpu", "list"], ["live", "--gpu=list"], ["devices", "--gpu", "list"],
    ])
  func list(arguments: [String]) throws {
    let run = try Program.run(arguments, in: Scratch())
    #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
    let devices = try GPUList.all()
    let lines = run.output.split(separator: "\n")
    for device in devices {
      let line = lines.first { $0.hasPrefix("\(device.number)  \(device.name)") }
      #expect(line?.contains("Vulkan \(device.vulkanVersion)") == true, "\(run.output)")
    }
    let json = try JSONReport(try Program.run(arguments + ["--json"], in: Scratch()).output)
    let gpus = try #require(json["gpus"] as? [[String: Any]])
    #expect(gpus.map { $0["name"] as? String } == devices.map(\.name))
    #expect(gpus.map { $0["number"] as? Int } == devices.map(\.number))
    #expect(
      gpus.allSatisfy { ($0["memoryBytes"] as? Int ?? 0) > 0 && $0["driver"] != nil && $0["kind"] != nil })
  }

  @Test("--gpu list says why there is none, which is no failure")
  func emptyList() throws {
    let run = try Program.run(["--gpu", "list"], in: Scratch(), environment: Self.noDevice)
    #expect(run.exitCode == 0)
    #expect(run.output.hasPrefix("No GPU: "), "\(run.output)")
    let json = try JSONReport(
      try Program.run(["--gpu", "list", "--json"], in: Scratch(), environment: Self.noDevice).output)
    #expect((json["gpus"] as? [Any])?.isEmpty == true && json["problem"] is String)
  }

  @Test("A file called like the list is no list")
  func namedLikeTheList() throws {
    let run = try Program.run(["analyze", "--", "--gpu", "list"], in: Scratch())
    #expect(run.exitCode != 0 && run.errors.contains("--gpu"), "\(run.errors)")
  }

  @Test(
    "A GPU that is asked for and is not there ends the command with the reason, and nothing is written",
    arguments: [
      ["edit", "photo.png", "-o", "out.png"], ["plan", "photo.png"], ["profile", "--json"],
      ["live", "--source", "synthetic", "--to", "frames:out", "--frames", "1"],
      ["batch", "photo.png", "-o", "out"], ["batch", "photo.png", "-o", "out", "--no-isolate"],
    ])
  func missing(arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    for flags in [["--backend", "vulkan"], ["--gpu", "0"]] {
      let run = try Program.run(arguments + flags, in: scratch, environment: Self.noDevice)
      #expect(run.exitCode == (arguments[0] == "batch" ? 2 : 1), "\(run.errors)")
      #expect(run.error?.contains("render on the CPU") == true, "\(run.errors)")
      #expect(try scratch.names == ["photo.png"])
    }
  }

  @Test("An unknown GPU is refused with what there is", aDevice)
  func unknown() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    let device = try #require(Self.devices.first)
    for name in ["99", "no such thing"] {
      let run = try Program.run(["edit", "photo.png", "-o", "out.png", "--gpu", name], in: scratch)
      #expect(run.exitCode == 1)
      #expect(run.error?.contains("There is no GPU “\(name)”") == true, "\(run.errors)")
      #expect(run.error?.contains("\(device.number) (\(device.name))") == true, "\(run.errors)")
      #expect(try scratch.names == ["photo.png"])
    }
  }

  @Test("An environment that names no GPU is refused, by commands that may use one alone")
  func environment() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(8, 6), as: "photo.png")
    let flags = ["edit", "photo.png", "-o", "out.png"]
    let wrong = try Program.run(flags, in: scratch, environment: ["SAFELIGHT_GPU": "-1"])
    #expect(wrong.exitCode == 1)
    #expect(
      wrong.error
        == "SAFELIGHT_GPU: “-1” names no GPU; give its number or a part of its name, as --gpu list shows them."
    )
    let cpu = try Program.run(
      flags + ["--backend", "cpu"], in: scratch, environment: ["SAFELIGHT_GPU": "-1"])
    #expect(cpu.exitCode == 0, "\(cpu.errors)")
  }

  @Test(
    "auto renders live frames on the processor where the GPU that the environment names is missing, and says so once"
  )
  func fallback() throws {
    let run = try Program.run(
      [
        "live", "--source", "synthetic", "--size", "160x90", "--unpaced", "--to", "null", "--seconds", "2",
        "--json",
      ],
      in: Scratch(), environment: ["SAFELIGHT_GPU": "no such thing"])
    #expect(run.exitCode == 0, "\(run.errors)")
    let notes = run.errors.split(separator: "\n").filter { $0.hasPrefix("The GPU is not used: ") }
    #expect(notes.count == 1, "\(run.errors)")
    let end = try JSONReport(String(try #require(run.output.split(separator: "\n").last)))
    #expect(end["backend"] as? String == "cpu" && end["device"] == nil)
    #expect((end["fallback"] as? String)?.hasPrefix("The GPU is not used: ") == true)
    #expect(end["rendered"] as? Int ?? 0 > 8)
  }

  @Test("edit renders on a GPU within 2 of 255 of the processor, and says on which", aDevice)
  func edit() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(96, 64), as: "photo.png")
    let device = try #require(Self.devices.first)
    let flags = ["edit", "photo.png", "--exposure", "0.4", "--straighten", "2", "--crop", "4:5", "--json"]
    let cpu = try Program.run(flags + ["-o", "cpu.png", "--backend", "cpu"], in: scratch)
    let gpu = try Program.run(flags + ["-o", "gpu.png", "--gpu", "\(device.number)"], in: scratch)
    #expect(cpu.exitCode == 0 && gpu.exitCode == 0, "\(gpu.errors)")
    let difference = largestDifference(
      try scratch.photo("cpu.png").buffer, try scratch.photo("gpu.png").buffer)
    #expect(difference ?? 255 <= 2)
    let report = try JSONReport(gpu.output)
    #expect(report["backend"] as? String == "vulkan" && report["device"] as? String == device.name)
    #expect(report["fallback"] == nil)
    #expect(try JSONReport(cpu.output)["device"] == nil)
    let plan = try Program.run(
      ["plan", "photo.png", "--exposure", "0.4", "--backend", "vulkan"], in: scratch,
      environment: ["SAFELIGHT_GPU": "\(device.number)"])
    #expect(plan.output.hasSuffix("\nbackend  vulkan, \(device.name)\n"), "\(plan.output)")
  }

  @Test("live frames go through a GPU in order, as many as were asked for", aDevice)
  func live() throws {
    let scratch = try Scratch()
    let flags = [
      "live", "--source", "synthetic", "--size", "160x90", "--unpaced", "--frames", "7", "--exposure", "0.5",
    ]
    let gpu = try Program.run(flags + ["--to", "frames:gpu", "--backend", "vulkan", "--json"], in: scratch)
    let cpu = try Program.run(flags + ["--to", "frames:cpu", "--backend", "cpu"], in: scratch)
    #expect(gpu.exitCode == 0 && cpu.exitCode == 0, "\(gpu.errors)")
    let end = try JSONReport(String(try #require(gpu.output.split(separator: "\n").last)))
    #expect(end["backend"] as? String == "vulkan" && end["device"] is String)
    #expect(end["rendered"] as? Int == 7)
    for number in 1...7 {
      let name = "frame-00000\(number).jpg"
      let (one, other) = (try scratch.photo("gpu/\(name)").buffer, try scratch.photo("cpu/\(name)").buffer)
      // JPEG makes a few levels of one.
      #expect((largestDifference(one, other) ?? 255) <= 12, "\(name)")
    }
  }

  @Test("A batch renders on a GPU, in worker processes or in its own, and says so for each photo", aDevice)
  func batch() throws {
    let scratch = try Scratch()
    try scratch.makePhotos(3)
    for flags in [[], ["--no-isolate"]] {
      let run = try Program.run(
        [
          "batch", "in", "-o", "out", "--exposure", "0.3", "--backend", "vulkan", "--json", "report.json",
          "--on-conflict", "overwrite",
        ] + flags, in: scratch)
      #expect(run.exitCode == 0, "\(run.errors)")
      let entries = try scratch.report().entries
      #expect(entries.map(\.status) == [.done, .done, .done])
      #expect(entries.allSatisfy { $0.backend == "vulkan" && $0.device != nil })
      try FileManager.default.removeItem(atPath: scratch("out"))
    }
    #expect(try scratch.batch("in", "-o", "out", "--exposure", "0.3", "--json", "report.json").exitCode == 0)
    #expect(try scratch.report().entries.allSatisfy { $0.backend == "cpu" && $0.device == nil })
  }

  @Test("A profile of a GPU names it, in text and as JSON", aDevice)
  func profile() throws {
    let device = try #require(Self.devices.first)
    let flags = ["profile", "--exposure", "1", "--size", "96x64", "--seconds", "0.05", "--backend", "vulkan"]
    let text = try Program.run(flags, in: Scratch())
    #expect(text.exitCode == 0, "\(text.errors)")
    #expect(text.output.contains("GPU     \(device.name.prefix(20))"), "\(text.output)")
    let json = try JSONReport(try Program.run(flags + ["--json"], in: Scratch()).output)
    let gpu = try #require(json["device"] as? [String: Any])
    #expect(gpu["name"] as? String == device.name && gpu["vulkanVersion"] as? String == device.vulkanVersion)
  }
}
