import ColorScience
import Foundation
import Testing

@Suite("Log encodings of cameras")
struct LogEncodingTests {
  /// Lines of Fixtures/tables/log.expected.txt, which Fixtures/tables/generate_logs.py made with colour-science 0.4.7.
  private static func lines(_ log: LogEncoding, _ kind: String) throws -> [[Double]] {
    let text = String(decoding: try Fixtures.bytes("tables/log.expected.txt"), as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("\(log.rawValue) \(kind) ") }.map { line in
      line.split(separator: " ").dropFirst(2).compactMap { Double($0) }
    }
  }

  @Test("Curves are the makers', as colour-science has them", arguments: LogEncoding.allCases)
  func curves(log: LogEncoding) throws {
    let (encoded, decoded) = (try Self.lines(log, "encode"), try Self.lines(log, "decode"))
    #expect(encoded.count == 88 && decoded.count == 101)
    for pair in encoded { #expect(abs(log.encode(pair[0]) - pair[1]) < 1e-9, "\(log) at \(pair[0])") }
    for pair in decoded {
      #expect(abs(log.decode(pair[0]) - pair[1]) < 1e-9 * max(1, abs(pair[1])), "\(log) at \(pair[0])")
    }
  }

  @Test("Decoding undoes encoding", arguments: LogEncoding.allCases)
  func inverse(log: LogEncoding) {
    for step in 0...1000 {
      let value = Double(step) / 1000
      // Makers round the constants of both pieces, which differ by up to a hundredth of a code of 10 bits where they meet.
      #expect(abs(log.encode(log.decode(value)) - value) < 1e-5, "\(log) at \(value)")
    }
  }

  @Test("Primaries are the makers', as colour-science has them", arguments: LogEncoding.allCases)
  func primaries(log: LogEncoding) throws {
    let numbers = try #require(try Self.lines(log, "primaries").first)
    let found = log.linearSpace.matrix(to: .linearRec2020)
    #expect(found.largestDifference(from: matrix(numbers)) < 1e-5)
  }

  // Grey cards of 18 % as the makers print them, in codes of 10 bits: S-Log3 420, V-Log 433, LogC3 400, LogC4 285,
  // F-Log 470, F-Log2 400, Canon Log 2 and 3 407 and 351, N-Log 372, Apple Log 500, D-Log 408.
  @Test(
    "Grey has the code that the makers print",
    arguments: [
      (LogEncoding.sLog3, 420.0), (.vLog, 433), (.logC3, 400), (.logC4, 285), (.fLog, 470), (.fLog2, 400),
      (.cLog2, 407), (.cLog3, 351), (.nLog, 372), (.appleLog, 500), (.dLog, 408),
    ])
  func grey(log: LogEncoding, code: Double) {
    #expect(abs(log.encode(0.18) * 1023 - code) < 1.5, "\(log): \(log.encode(0.18) * 1023)")
  }
}
