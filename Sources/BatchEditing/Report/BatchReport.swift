import Editing
import Files
import FoundationEssentials
import FrameCore

/// The results of a batch, photo by photo: what `safelight batch --json` writes.
public struct BatchReport: JSONReport, Hashable {
  /// What became of a photo.
  public enum Status: String, Sendable, Hashable, Codable {
    case done, skipped, failed
    /// Not reached: the run was stopped, or could not go on.
    case left
  }

  /// One photo with its result.
  public struct Entry: Sendable, Hashable, Codable {
    /// The number of the photo from 1, in the order of the inputs.
    public var index: Int
    /// The path of the photo.
    public var input: String
    /// The subfolders from the named folder to the photo.
    public var folder: String?
    /// The path of the result, relative to the output folder; empty if it has no name.
    public var output: String
    public var status = Status.failed
    /// Why it failed or was skipped.
    public var reason: String?
    /// The size of the result in pixels, the length of its file, and the hash of its bytes; nil if there is no result.
    public var width: Int?
    public var height: Int?
    public var bytes: Int?
    public var hash: String?
    /// The working time for the photo, without waiting for others; nil if it was not edited.
    public var seconds: Double?
    public var warnings: [String] = []
    /// The values found in the photo; nil if none were to be found.
    public var auto: FoundValues?
    /// The backend that rendered it: `cpu`, `vulkan` or `reference`.
    public var backend: String?
    /// The GPU's name, if one rendered it.
    public var device: String?

    init(_ item: BatchNaming.Item, status: Status = .failed) {
      self.status = status
      (index, input, output) = (item.index, item.photo.path, item.output)
      folder = item.photo.folder.isEmpty ? nil : item.photo.folder
    }
  }

  /// The entries in the order of the inputs.
  public var entries: [Entry]
  /// The folder that relative paths refer to.
  package var workingFolder: String?
  /// The number of photos.
  public var total: Int
  /// The time of the whole run.
  public var seconds: Double
  /// The pixels of the edited originals, in millions.
  public var megapixels: Double
  /// Why the run ended early, if it did.
  public var problem: String?
  /// True if the reason was a full disk, else nil.
  package var isDiskFull: Bool?
  /// Notes for the user about the run as a whole.
  public var notes: [String]?
  /// Named inputs that could not be used, such as folders without permission; they have no entries.
  public var unusable: [String]?

  /// Photos whose results exist, made now or earlier by the same edit.
  public var results: [Entry] { entries.filter { $0.status == .done || $0.hash != nil } }

  /// Returns the number of photos with a status.
  public func count(_ status: Status) -> Int { entries.count { $0.status == status } }

  /// Failures grouped by kind, with the first one's reason; the most frequent first.
  public var failures: [(reason: String, entries: [Entry])] {
    var groups: [String: [Entry]] = [:]
    for entry in entries where entry.status == .failed {
      groups[Self.kind(of: entry.reason ?? "", entry), default: []].append(entry)
    }
    return groups.values.map { ($0[0].reason ?? "", $0) }.sorted {
      ($1.entries.count, $0.entries[0].index) < ($0.entries.count, $1.entries[0].index)
    }
  }

  /// Returns a sentence about a photo with names and numbers replaced: for grouping similar ones, not for reading.
  public static func kind(of sentence: String, _ entry: Entry) -> String {
    var kind = sentence.replacing(entry.input, with: "\u{1}")
    if !entry.output.isEmpty { kind = kind.replacing(entry.output, with: "\u{2}") }
    // Words that name other photos, folders or sizes.
    return kind.split(separator: " ").map { word in
      word.contains { $0.isNumber || $0 == "/" } ? "\u{3}" : word
    }.joined(separator: " ")
  }
}

extension BatchReport {
  /// Reads a report that was written as JSON.
  ///
  /// - Throws: `SafelightError` if the file cannot be read or is not such a report.
  public init(contentsOf path: String) throws {
    let bytes = try FileContents.read(path)
    do {
      self = try JSONDecoder().decode(BatchReport.self, from: Data(bytes))
    } catch {
      throw SafelightError(
        .corruptData, "\(path) is not a report of a batch", remedy: "give a file that --json wrote")
    }
    // The author of the report must not choose where results go.
    for entry in entries {
      guard let folder = entry.folder, !FolderListing.isBelowFolder(folder) else { continue }
      throw SafelightError(
        .corruptData, "\(path) leads out of the output folder: “\(folder.prefix(80))”",
        remedy: "give a file that --json wrote")
    }
  }

  /// The photos that failed or were not reached, to be edited again with the same numbers and in the same
  /// subfolders.
  package var failedPhotos: [BatchInputs.Photo] {
    entries.filter { $0.status == .failed || $0.status == .left }.map { entry in
      let isMoved = workingFolder != nil && workingFolder != FileContents.workingFolder
      let base = entry.input.hasPrefix("/") || !isMoved ? "" : workingFolder ?? ""
      return BatchInputs.Photo(
        path: FolderListing.path(entry.input, in: base), folder: entry.folder ?? "", index: entry.index)
    }
  }
}
