import Foundation
import Safelight
import Testing

/// Checks that a report's JSON is the recorded one, byte for byte, and that decoding and encoding it changes nothing:
/// scripts and pages are written against it.
///
/// With the environment variable `SAFELIGHT_RECORD` set, the JSON is recorded instead.
///
/// - Parameters:
///   - name: the file in the folder `Fixtures` beside the test, without `.json`.
package func expectRecorded<Report: JSONReport>(
  _ report: Report, as name: String, test: StaticString = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: "\(test)").deletingLastPathComponent().appending(path: "Fixtures/\(name).json")
  let text = try report.json() + "\n"
  let decoded = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
  #expect(try decoded.json() + "\n" == text, sourceLocation: sourceLocation)
  guard ProcessInfo.processInfo.environment["SAFELIGHT_RECORD"] == nil else {
    return try Data(text.utf8).write(to: file)
  }
  #expect(try text == String(contentsOf: file, encoding: .utf8), sourceLocation: sourceLocation)
}
