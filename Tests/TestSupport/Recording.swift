import Foundation
import Testing

/// Checks that text is the recorded one, byte for byte.
///
/// With the environment variable `SAFELIGHT_RECORD` set, the text is recorded instead.
///
/// - Parameters:
///   - name: the file in the folder `Fixtures` beside the test, without `.json`.
package func expectRecorded(
  text: String, as name: String, test: StaticString = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: "\(test)").deletingLastPathComponent().appending(path: "Fixtures/\(name).json")
  guard ProcessInfo.processInfo.environment["SAFELIGHT_RECORD"] == nil else {
    return try Data(text.utf8).write(to: file)
  }
  #expect(try text == String(contentsOf: file, encoding: .utf8), sourceLocation: sourceLocation)
}
