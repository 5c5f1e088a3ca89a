/// A SPIR-V module: a header of five words, then instructions.
///
/// Source: SPIR-V Specification 1.6, sections 2.3 and 3.
struct ShaderModule {
  private(set) var words: [UInt32]

  private static let headerWords = 5
  private enum Operation {
    static let name: UInt32 = 5
    static let function: UInt32 = 54
    static let functionCall: UInt32 = 57
    /// OpSource, OpSourceExtension, OpName, OpMemberName, OpString, OpModuleProcessed: for people only.
    static let debugging: Set<UInt32> = [3, 4, 5, 6, 7, 330]
  }

  init(_ words: [UInt32]) { self.words = words }

  /// Finds the calls of `stage` in `shaders/stages.glsl`, and removes the names by which they are found, which need not
  /// be in the program.
  ///
  /// - Returns: The words at which the calls begin, and the functions that `stage` itself calls, in their order; nil if
  ///   the module has no such function.
  mutating func stageCalls() -> (calls: [Int], functions: [UInt32])? {
    let stage = function(named: "stage(u1;u1;vf3;")
    removeDebugging()
    guard let stage else { return nil }
    var calls: [Int] = []
    var functions: [UInt32] = []
    var current: UInt32?
    for start in instructions {
      switch words[start] & 0xffff {
      case Operation.function: current = words[start + 2]
      case Operation.functionCall where words[start + 3] == stage: calls.append(start)
      case Operation.functionCall where current == stage: functions.append(words[start + 3])
      default: break
      }
    }
    return (calls, functions)
  }

  /// The words at which instructions begin.
  private var instructions: [Int] {
    var starts: [Int] = []
    var start = Self.headerWords
    while start < words.count {
      starts.append(start)
      start += max(1, Int(words[start] >> 16))
    }
    return starts
  }

  private func function(named name: String) -> UInt32? {
    instructions.first { words[$0] & 0xffff == Operation.name && text(at: $0 + 2) == name }.map {
      words[$0 + 1]
    }
  }

  private func text(at start: Int) -> String {
    var bytes: [UInt8] = []
    for word in words[start...] {
      for shift: UInt32 in [0, 8, 16, 24] {
        let byte = UInt8(truncatingIfNeeded: word >> shift)
        guard byte != 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func removeDebugging() {
    let kept = instructions.filter { !Operation.debugging.contains(words[$0] & 0xffff) }
    words = Array(words[..<Self.headerWords]) + kept.flatMap { words[$0..<$0 + max(1, Int(words[$0] >> 16))] }
  }
}
