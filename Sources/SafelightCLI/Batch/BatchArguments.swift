import Safelight

extension BatchInputs {
  /// - Parameter arguments: names, one of which may be `-` for a list on standard input.
  init(arguments: [String], recursive: Bool, output: String?) throws {
    guard arguments.filter({ $0 == "-" }).count <= 1 else {
      throw SafelightError(.invalidValue, "- is given twice", remedy: "standard input can be read only once")
    }
    var unreadable: [String] = []
    let damaged = ProgramArguments.unreadable
    let names = try arguments.flatMap { name in
      guard name == "-" else {
        guard !damaged.contains(name) else {
          unreadable.append(name)
          return [String]()
        }
        return [name]
      }
      let list = try FileContents.readStandardInput()
      unreadable += BatchInputs.unreadableNames(inList: list)
      return BatchInputs.names(inList: list)
    }
    self.init(names, recursive: recursive, output: output)
    for name in unreadable {
      add(
        problem: SafelightError(
          .file, "Cannot read \(name): its name is not UTF-8", remedy: "rename it, for example with convmv"))
    }
  }
}

/// The arguments that the shell passed to this program, byte for byte.
enum ProgramArguments {
  /// Arguments that are not UTF-8, as Swift makes them readable: they no longer name the same files.
  static var unreadable: Set<String> {
    var found: Set<String> = []
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
        continue
      }
      found.insert(String(cString: argument))
    }
    return found
  }
}
