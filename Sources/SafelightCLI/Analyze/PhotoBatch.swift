import ArgumentParser
import Safelight

/// Photos processed one by one: one that fails does not stop the others.
struct PhotoBatch {
  let photos: [String]
  private(set) var failures = 0

  init(_ photos: [String]) { self.photos = photos }

  /// Calls `work` for each photo; what it throws is printed on standard error as `Error: …`, with the photo's name
  /// where the sentence lacks it, and handed to `failed`.
  mutating func forEach(
    _ work: (_ index: Int, _ photo: String) throws -> Void,
    failed: (_ photo: String, _ error: String) -> Void = { _, _ in }
  ) {
    for (index, photo) in photos.enumerated() {
      do {
        try work(index, photo)
      } catch {
        failures += 1
        let sentence = "\(error)"
        failed(photo, sentence)
        Output.note("Error: " + (sentence.contains(photo) ? sentence : "\(photo): \(sentence)"))
      }
    }
  }

  /// Ends the program with exit code 1 if a photo failed.
  func finish() throws {
    guard failures > 0 else { return }
    try Output.finish()
    throw ExitCode.failure
  }
}
