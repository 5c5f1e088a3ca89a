/// What a batch did, photo by photo.
public struct BatchReport: Sendable, Hashable, Codable {
  public enum Status: String, Sendable, Hashable, Codable {
    case done, skipped, failed
  }

  public struct Entry: Sendable, Hashable, Codable {
    /// From 1 on, in the order of the inputs.
    public var index: Int
    public var input: String
    /// Relative to the output folder; empty where it has no name.
    public var output: String
    public var status = Status.failed
    /// Why it failed or was skipped.
    public var reason: String?
    public var width: Int?
    public var height: Int?
    public var bytes: Int?
    public var hash: String?
    public var seconds: Double?
    public var warnings: [String] = []

    init(index: Int, input: String, output: String) {
      (self.index, self.input, self.output) = (index, input, output)
    }
  }

  /// In the order of the inputs. Photos that were not reached are missing.
  public var entries: [Entry]
  /// How many photos there were.
  public var total: Int
  public var seconds: Double
  /// Of the originals that were edited, in millions.
  public var megapixels: Double
  /// Why the run ended early, where it did.
  public var problem: String?

  public func count(_ status: Status) -> Int { entries.count { $0.status == status } }

  /// Failures by their reason without the photo's own name, the most frequent first.
  public var failures: [(reason: String, inputs: [String])] {
    var groups: [String: [String]] = [:]
    for entry in entries where entry.status == .failed {
      let reason = (entry.reason ?? "").replacing(entry.input, with: "the photo")
      groups[reason, default: []].append(entry.input)
    }
    return groups.map { ($0.key, $0.value) }.sorted {
      ($1.inputs.count, $0.reason) < ($0.inputs.count, $1.reason)
    }
  }
}
