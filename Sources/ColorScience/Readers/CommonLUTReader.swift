import FrameCore

/// A `.clf` file in the Common LUT Format: a list of processes, read into a chain of steps.
///
/// Source: SMPTE ST 2136-1:2024, which is version 3.0 of the Academy's S-2014-006, “Common LUT Format (CLF)”.
struct CommonLUTReader {
  let table: XMLTable

  /// The most processes of a list.
  private static let mostProcesses = 100

  /// Elements that only describe.
  static let descriptions: Set<String> = [
    "Description", "InputDescriptor", "OutputDescriptor", "Info", "Id",
  ]

  func lut() throws -> ColorLUT {
    try checkVersion()
    let processes = table.root.children.filter { !Self.descriptions.contains($0.name.local) }
    guard !processes.isEmpty else {
      throw table.failure(
        at: table.root, "the ProcessList has no process", remedy: "export the LUT again")
    }
    guard processes.count <= Self.mostProcesses else {
      throw table.failure(
        at: table.root, "the ProcessList has \(processes.count) processes, more than \(Self.mostProcesses)",
        remedy: "export the LUT with fewer", code: .tooLarge)
    }
    var steps: [ColorStep] = []
    var last: CommonLUTDepth?
    for process in processes {
      let depths = try depths(of: process)
      if let last, last != depths.input {
        throw table.failure(
          at: process,
          "\(process.name.local) takes \(depths.input.rawValue), but what precedes it gives \(last.rawValue)",
          remedy: "give each process the inBitDepth that the one before it puts out")
      }
      last = depths.output
      if table.attribute("bypass", of: process) == "true" { continue }
      steps += try self.steps(of: process, depths)
    }
    let title = table.attribute("name", of: table.root) ?? ""
    return ColorLUT(title: title, steps: steps)
  }

  private func checkVersion() throws {
    let root = table.root
    let namespace = root.name.namespace.lowercased()
    if let version = table.attribute("compCLFversion", of: root) {
      guard let number = XMLTable.number(version.split(separator: ".").prefix(2).joined(separator: ".")),
        (1..<4).contains(number)
      else {
        throw table.failure(
          at: root, "compCLFversion is “\(NearestName.shortened(version))”, and versions up to 3 are read",
          remedy: "export the LUT as CLF 3.0", code: .unsupported)
      }
    } else if !namespace.contains("2136-1") && !namespace.contains("aces") {
      throw table.failure(
        at: root, "the ProcessList has no compCLFversion", remedy: "export the LUT as CLF 3.0")
    }
    if namespace.contains("2136-1"), !namespace.hasSuffix("2136-1/2024") {
      throw table.failure(
        at: root, "the ProcessList is of “\(NearestName.shortened(root.name.namespace))”, which is not known",
        remedy: "export the LUT as CLF 3.0", code: .unsupported)
    }
  }

  private func depths(of process: XMLElement) throws -> (input: CommonLUTDepth, output: CommonLUTDepth) {
    func depth(_ key: String) throws -> CommonLUTDepth {
      guard let text = table.attribute(key, of: process), let depth = CommonLUTDepth(rawValue: text) else {
        let known = CommonLUTDepth.allCases.map(\.rawValue).joined(separator: ", ")
        throw table.failure(
          at: process,
          table.attribute(key, of: process).map {
            "\(key) of \(process.name.local) is “\(NearestName.shortened($0))”, which is no bit depth"
          } ?? "\(process.name.local) has no \(key)", remedy: "write one of \(known)")
      }
      return depth
    }
    guard Self.processes.contains(process.name.local) else {
      throw table.failure(
        at: process, "\(NearestName.shortened(process.name.local)) is no process of the Common LUT Format",
        remedy: "the processes are \(Self.processes.joined(separator: ", "))", code: .unsupported)
    }
    return (try depth("inBitDepth"), try depth("outBitDepth"))
  }

  private static let processes = [
    "LUT1D", "LUT3D", "Matrix", "Range", "Exponent", "Log", "ASC_CDL",
  ]

  private func steps(
    of process: XMLElement, _ depths: (input: CommonLUTDepth, output: CommonLUTDepth)
  ) throws -> [ColorStep] {
    switch process.name.local {
    case "LUT1D": [try lut1D(process, depths.output.scale)]
    case "LUT3D": [try lut3D(process, depths.output.scale)]
    case "Matrix": [try matrix(process, input: depths.input.scale, output: depths.output.scale)]
    case "Range": [try range(process, input: depths.input.scale, output: depths.output.scale)]
    case "Exponent": [try exponent(process)]
    case "Log": [try log(process)]
    default: try decision(process)
    }
  }

  /// Returns the step of curves for each channel, from elements that name theirs or are for all.
  ///
  /// - Parameter make: the curve of an element; nil stands for that of a channel without one.
  func channels(
    _ local: String, of process: XMLElement, _ make: (XMLElement?) throws -> ChannelCurve
  ) throws -> ColorStep {
    let found = process.children.filter { $0.name.local == local }
    try refuseOthers(than: [local], in: process)
    var curves: [String: ChannelCurve] = [:]
    for element in found {
      let channel = table.attribute("channel", of: element) ?? ""
      guard ["", "R", "G", "B"].contains(channel), curves[channel] == nil,
        !channel.isEmpty || found.count == 1
      else {
        throw table.failure(
          at: element,
          "\(local) is for the channel “\(NearestName.shortened(channel))”, which is unknown or given twice",
          remedy: "write one without a channel, or one each for R, G and B")
      }
      curves[channel] = try make(element)
    }
    if let all = curves[""] { return .curve(all) }
    func curve(_ channel: String) throws -> ChannelCurve { try curves[channel] ?? make(nil) }
    return .curves(try curve("R"), try curve("G"), try curve("B"))
  }

  /// Refuses elements that a process does not have: what they ask for would be left out.
  func refuseOthers(than known: Set<String>, in process: XMLElement) throws {
    for element in process.children
    where !known.contains(element.name.local) && !Self.descriptions.contains(element.name.local) {
      throw table.failure(
        at: element,
        "\(NearestName.shortened(element.name.local)) in \(process.name.local) is not known to the Common LUT Format",
        remedy: "take it out, or export the LUT without it", code: .unsupported)
    }
  }
}

/// What numbers of a process mean: codes of so many bits, or 1.0 for white.
enum CommonLUTDepth: String, CaseIterable {
  case int8 = "8i"
  case int10 = "10i"
  case int12 = "12i"
  case int16 = "16i"
  case half = "16f"
  case float = "32f"

  /// The number of white.
  var scale: Double {
    switch self {
    case .int8: 255
    case .int10: 1023
    case .int12: 4095
    case .int16: 65535
    case .half, .float: 1
    }
  }
}
