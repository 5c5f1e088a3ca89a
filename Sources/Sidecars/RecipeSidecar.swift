import Files
import FilterGraph
import Filters
import FrameCore

/// The edit of a photo, kept in a file beside it: `harbour.jpg.safelight.json` holds that of `harbour.jpg`. The photo itself
/// is never touched.
///
/// Beside the recipe the file holds the fingerprint of the photo that it was made for, and what it replaced, so that steps
/// can be taken back. Files that recipes name are seen from the folder of the photo: those in it, or in folders below,
/// move along with it; others are named by their absolute paths.
public struct RecipeSidecar: Sendable {
  /// The version of the format that this build reads and writes.
  public static let formatVersion = 1
  /// What is added to a photo's name.
  public static let suffix = ".safelight.json"
  /// Changes that are kept; the oldest go first.
  public static let historyLimit = 50
  /// Larger files are not read, nor written, bytes.
  public static let sizeLimit = 4 << 20

  /// What was done to an edit.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// The edit was made, or another one put in its place.
    case set
    /// The edit was joined to the one before.
    case added
    /// The edit, or a part of it, was taken from another photo.
    case copied
    /// The edit was made from the settings of another program.
    case imported
    /// The edit was taken away.
    case cleared
  }

  /// A step in the history of an edit.
  public struct Change: Sendable {
    /// When it was done, UTC: `2026-11-21T12:20:19Z`.
    public var time: String
    public var action: Action
    /// The file that the edit was copied or imported from.
    public var source: String?
    /// What the step replaced; nil where there was no edit. Its files are not loaded.
    public var replaced: Recipe?
    /// Of the photo that the replaced edit was made for, where the photo has changed since.
    public var photo: FileFingerprint?

    public init(
      time: String, action: Action, source: String? = nil, replaced: Recipe? = nil,
      photo: FileFingerprint? = nil
    ) {
      (self.time, self.action, self.source) = (time, action, source)
      (self.replaced, self.photo) = (replaced, photo)
    }
  }

  /// The edit, with its files named as seen from the photo's folder and not loaded; nil once it was cleared.
  public var recipe: Recipe?
  /// The version of the engine that wrote the file.
  public var engine: String
  /// Of the photo that the edit was made for.
  public var photo: FileFingerprint
  /// The oldest step first.
  public var history: [Change]

  public init(
    recipe: Recipe?, engine: String = SafelightVersion.current, photo: FileFingerprint, history: [Change] = []
  ) {
    (self.recipe, self.engine, self.photo, self.history) = (recipe, engine, photo, history)
  }

  /// Where the edit of a photo is kept.
  public static func path(forPhoto photo: String) -> String { photo + suffix }

  /// Puts another recipe in the place of this one, which goes into the history.
  ///
  /// - Parameters:
  ///   - photo: of the photo that the other recipe is made for; nil where it has not changed.
  ///   - source: the file that the other recipe was copied or imported from.
  public mutating func replaceRecipe(
    with recipe: Recipe?, for photo: FileFingerprint? = nil, _ action: Action, source: String? = nil,
    time: String = UTCTime.now
  ) {
    let photo = photo ?? self.photo
    history.append(
      Change(
        time: time, action: action, source: source, replaced: self.recipe,
        photo: photo == self.photo ? nil : self.photo))
    history.removeFirst(max(0, history.count - Self.historyLimit))
    self.photo = photo
    self.recipe = recipe
    engine = SafelightVersion.current
  }

  /// Takes the last change back.
  ///
  /// - Returns: the change that is no more.
  /// - Throws: `SafelightError(.invalidValue)` where none is left.
  @discardableResult
  public mutating func undo() throws -> Change {
    guard let last = history.popLast() else {
      throw SafelightError(
        .invalidValue, "There is nothing left to undo",
        remedy: "the last \(Self.historyLimit) changes of an edit can be taken back")
    }
    recipe = last.replaced
    photo = last.photo ?? photo
    engine = SafelightVersion.current
    return last
  }
}
