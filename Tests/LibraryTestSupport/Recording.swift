import FoundationEssentials
import Safelight
import TestSupport
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
  let text = try report.json()
  let decoded = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
  #expect(try decoded.json() == text, sourceLocation: sourceLocation)
  try expectRecorded(text: text + "\n", as: name, test: test, sourceLocation: sourceLocation)
}

/// Checks a list of reports in the same way.
package func expectRecorded<Report: JSONReport>(
  _ reports: [Report], as name: String, test: StaticString = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = try reports.json()
  let decoded = try JSONDecoder().decode([Report].self, from: Data(text.utf8))
  #expect(try decoded.json() == text, sourceLocation: sourceLocation)
  try expectRecorded(text: text + "\n", as: name, test: test, sourceLocation: sourceLocation)
}
