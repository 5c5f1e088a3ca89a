import Testing

@Suite("Switches over kinds of stages")
struct StageSwitchTests {
  /// Cases that no other enumeration in Sources shares.
  private static let kinds = [".downsample", ".channelTables", ".pointwise", ".ycbcr"]

  /// Lines of `default:` in switches that name a kind of stage. Cases stand below their `switch`, as swift-format
  /// has them.
  private static func defaults(in text: String) -> [Int] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
    return lines.indices.filter { index in
      guard lines[index].drop(while: { $0 == " " }).hasPrefix("default:") else { return false }
      let depth = indentation(lines[index])
      for line in lines[..<index].reversed() where !line.isEmpty && indentation(line) <= depth {
        let word = line.drop { $0 == " " }
        if word.contains("switch ") { return false }
        if word.hasPrefix("case "),
          kinds.contains(where: { word.contains($0 + "(") || word.contains($0 + ":") })
        {
          return true
        }
      }
      return false
    }.map { $0 + 1 }
  }

  @Test("have no default: a new kind does not compile before each of them decides on it")
  func exhaustive() throws {
    for file in try SourceTree.sources() where file.isSwift {
      for line in Self.defaults(in: file.text) {
        Issue.record(
          "\(file.path):\(line): a default in a switch over kinds of stages; name the kinds that are left")
      }
    }
  }

  @Test("are seen when they have one")
  func reading() {
    let text = """
      switch stage {
      case .geometry: 1
      case .downsample(let downsample):
        switch downsample.light {
        case nil: 2
        default: 3
        }
      default: 4
      }
      switch color {
      case .red: 5
      default: 6
      }
      """
    #expect(Self.defaults(in: text) == [8])
  }
}
