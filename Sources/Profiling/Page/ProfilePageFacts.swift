/// The text sections: the plan, the optimized stages, and the machine.
extension ProfilePage {
  private typealias Text = ProfilePlotText

  var plan: String? {
    guard !report.subject.plan.isEmpty else { return nil }
    return ProfilePageHTML.section(
      "plan", "The plan", lead: "What runs for each frame, in this order.",
      body: "<pre tabindex=\"0\">\(Text.escaped(report.subject.plan))</pre>\n")
  }

  var passes: String? {
    guard let first = report.passes.first, let last = report.passes.last else { return nil }
    let items = report.passes.map { pass in
      let remarks = pass.remarks.map { "<br><span>\(Text.escaped($0))</span>" }.joined()
      return """
        <li><b>\(Text.escaped(pass.name))</b> <em>\(pass.stagesBefore) → \(pass.stagesAfter)</em>\(remarks)</li>

        """
    }
    return ProfilePageHTML.section(
      "passes", "What was fused",
      lead:
        "The optimizer made \(last.stagesAfter) stage\(last.stagesAfter == 1 ? "" : "s") of \(first.stagesBefore).",
      body: "<ol class=\"passes\">\n\(items.joined())</ol>\n")
  }

  var bake: String? {
    guard let bake = report.bake else { return nil }
    return ProfilePageHTML.section(
      "bake", "The baked table",
      lead: "Lowered, baked and proved in \(Text.milliseconds(bake.milliseconds)), once for each recipe.",
      body: ProfilePageHTML.facts([
        ("nodes", "\(bake.nodes)³"),
        ("ΔE2000 at most", Text.number(bake.maximumDeltaE2000)),
        ("ΔE2000 on average", Text.number(bake.meanDeltaE2000)),
      ]))
  }

  var roofline: String? {
    guard !report.roofline.points.isEmpty else { return nil }
    let rows = report.roofline.points.sorted { $0.threads < $1.threads }.map {
      [
        "\($0.threads)", Text.number($0.copy), Text.number($0.read), Text.number($0.write),
        Text.number($0.triad),
      ]
    }
    return ProfilePageHTML.section(
      "roofline", report.device == nil ? "The machine’s memory" : "The processor’s memory",
      lead:
        "GB/s on buffers far larger than the caches, measured in the same run. A frame’s own bytes are copied in "
        + "\(Text.milliseconds(report.roofline.frameCopyMilliseconds)).",
      body: ProfilePageHTML.table(["threads", "memcpy", "read", "write", "triad"], rows))
  }

  var device: String? {
    guard let device = report.device else { return nil }
    var facts = [
      ("frames in flight", "\(device.framesInFlight)"),
      ("a frame every", Text.milliseconds(report.frames.p50)),
      ("one frame by itself", Text.milliseconds(device.aloneMilliseconds)),
    ]
    if let resident = device.residentMilliseconds, let rate = device.residentFramesPerSecond {
      facts += [
        ("without transfers", Text.milliseconds(resident)), ("frames a second then", Text.number(rate)),
      ]
    }
    facts.append(("copies within its memory", Text.number(device.copy) + "\u{A0}GB/s"))
    if let part = device.residentOfCopy {
      facts.append(("kernels, of its copies’ speed", Text.percent(part)))
    }
    return ProfilePageHTML.section(
      "device", "On the GPU",
      lead:
        "Uploading a frame, rendering it and downloading the picture overlap; the GPU’s own clock gives the kernels’ part.",
      body: ProfilePageHTML.facts(facts))
  }

  var machine: String? {
    let machine = report.machine
    var facts = [
      ("processor", machine.processor), ("cores", "\(machine.cores)"),
      ("instruction set", machine.instructionSet),
    ]
    if let device = report.device {
      facts += [
        ("GPU", device.name), ("kind", device.kind),
        ("its memory", Text.number(Double(device.memoryBytes) / 1e9) + "\u{A0}GB"), ("driver", device.driver),
        ("Vulkan", device.vulkanVersion),
      ]
    }
    facts += [("system", machine.system), ("Safelight", machine.release), ("date", machine.date)]
    return ProfilePageHTML.section("machine", "Measured on", body: ProfilePageHTML.facts(facts))
  }
}
