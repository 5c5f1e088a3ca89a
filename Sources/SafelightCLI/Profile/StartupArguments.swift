import Safelight

extension ProfileCommand {
  /// The arguments for `live`: one frame of the synthetic scene through this edit.
  var startupArguments: [String] {
    let size = size ?? PixelSize(width: 1920, height: 1080)
    var words = ["live", "--source", "synthetic", "--size", "\(size.width)x\(size.height)", "--to", "null"]
    words += ["--frames", "1"] + edit.arguments
    let others: [(name: String, value: String?)] = [
      ("interpolation", interpolation?.rawValue), ("backend", backend.backend?.rawValue),
      ("gpu", backend.gpu?.description),
    ]
    for other in others {
      if let value = other.value { words += option(other.name, value) }
    }
    return words
  }

  /// Rejects files that the first of many starts would empty for the others.
  ///
  /// - Throws: `SafelightError` that names the file.
  func checkRepeatable() throws {
    let standardInput = "/dev/stdin"
    var paths = edit.filters.given.filter(\.isFile).map(\.value)
    if let recipe = edit.recipe { paths.insert(recipe == "-" ? standardInput : recipe, at: 0) }
    for path in paths {
      let isStandardInput = path == standardInput
      // If a file is missing, the started program reports it.
      let isPipe = FileContents.kind(of: path) == .file && !FileContents.isRegular(path)
      guard isStandardInput || isPipe else { continue }
      let name = isStandardInput ? "standard input" : path
      throw SafelightError(
        .invalidValue, "--startup starts the program many times, but \(name) can be read only once",
        remedy: "save it to a file and name that")
    }
  }
}

extension EditOptionGroup {
  /// The options for this edit, as `live` takes them.
  fileprivate var arguments: [String] {
    var words: [String] = []
    if let preset { words += option("preset", preset) }
    if let recipe { words += option("recipe", recipe) }
    if let only { words += option("only", only.rawValue) }
    if let strength { words += option("strength", PlainNumber.text(strength)) }
    for masked in masked { words += option("masked", masked.text) }
    for flag in filters.given {
      if flag.name == "rotate", let turn = try? Rotate.Turn(parameterText: flag.value) {
        // `live`'s own option has no value for no turn.
        if turn != .none { words += option(flag.name, turn.parameterText) }
      } else {
        words += option(flag.name, flag.value)
      }
    }
    return words
  }
}

/// Returns an option and its value as words of a command line; as one word if the value would be read as an
/// option.
private func option(_ name: String, _ value: String) -> [String] {
  value.hasPrefix("-") ? ["--\(name)=\(value)"] : ["--\(name)", value]
}
