import Files
import FilterGraph
import Filters
import FrameCore

/// The edit of a photo, kept in a file beside it: `harbour.jpg.safelight.json` for `harbour.jpg`. The photo itself
/// is never modified.
///
/// Besides the recipe, the file contains the fingerprint of the photo that it was made for, and the recipes that
/// it replaced, so that changes can be undone. Files named by recipes are relative to the photo's folder if they
/// are in it or below, so that they move along with it; others have absolute paths.
public struct RecipeSidecar: Sendable {
  /// The version of the format that this build reads and writes.
  package static let formatVersion = 1
  /// The suffix appended to a photo's name.
  public static let suffix = ".safelight.json"
  /// The most changes kept; the oldest are dropped first.
  package static let historyLimit = 500
  /// The maximum size in bytes of a file that is read or written.
  package static let sizeLimit = 4 << 20

  /// The kinds of change to an edit.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// The edit was made or replaced.
    case set
    /// The edit was combined with the previous one.
    case added
    /// The edit, or part of it, was copied from another photo.
    case copied
    /// The edit was made from another program's settings.
    case imported
    /// The edit was removed.
    case cleared
  }

  /// A step in the history of an edit.
  public struct Change: Sendable {
    /// The time of the change, UTC: `2026-11-21T12:20:19Z`.
    public var time: String
    public var action: Action
    /// The file that the edit was copied or imported from.
    public var source: String?
    /// The recipe that the step replaced; nil if there was none. Its files are not loaded.
    public var replaced: Recipe?
    /// The fingerprint of the photo that the replaced edit was made for, if the photo has changed since.
    public var photo: FileFingerprint?

    package init(
      time: String, action: Action, source: String? = nil, replaced: Recipe? = nil,
      photo: FileFingerprint? = nil
    ) {
      (self.time, self.action, self.source) = (time, action, source)
      (self.replaced, self.photo) = (replaced, photo)
    }
  }

  /// The edit, with file names relative to the photo's folder and files not loaded; nil once cleared.
  public var recipe: Recipe?
  /// The version of the engine that wrote the file.
  public var engine: String
  /// The fingerprint of the photo that the edit was made for.
  public var photo: FileFingerprint
  /// The oldest step first.
  public var history: [Change]
  /// Steps that were undone, the one undone last at the end; the next change forgets them. `replaced` of each is the
  /// recipe that it had made.
  public var undone: [Change]

  package init(
    recipe: Recipe?, engine: String = SafelightVersion.current, photo: FileFingerprint,
    history: [Change] = [],
    undone: [Change] = []
  ) {
    (self.recipe, self.engine, self.photo, self.history) = (recipe, engine, photo, history)
    self.undone = undone
  }

  /// Returns the path of a photo's sidecar.
  public static func path(forPhoto photo: String) -> String { photo + suffix }

  /// Replaces this recipe with another and adds it to the history.
  ///
  /// - Parameters:
  ///   - photo: the fingerprint of the photo that the new recipe is made for; nil if it has not changed.
  ///   - source: the file that the new recipe was copied or imported from.
  package mutating func replaceRecipe(
    with recipe: Recipe?, for photo: FileFingerprint? = nil, _ action: Action, source: String? = nil,
    time: String = UTCTime.now
  ) {
    let photo = photo ?? self.photo
    history.append(
      Change(
        time: time, action: action, source: source, replaced: self.recipe,
        photo: photo == self.photo ? nil : self.photo))
    history.removeFirst(max(0, history.count - Self.historyLimit))
    undone = []
    self.photo = photo
    self.recipe = recipe
    engine = SafelightVersion.current
  }

  /// Undoes the last change.
  ///
  /// - Returns: the change that was undone.
  /// - Throws: `SafelightError(.invalidValue)` if no change is left.
  @discardableResult
  package mutating func undo() throws -> Change {
    guard let last = history.popLast() else {
      throw SafelightError(
        .invalidValue, "There is nothing left to undo",
        remedy: "the last \(Self.historyLimit) changes of an edit can be undone")
    }
    undone.append(last.exchanged(for: recipe, of: last.photo == nil ? nil : photo))
    recipe = last.replaced
    photo = last.photo ?? photo
    engine = SafelightVersion.current
    return last
  }

  /// Makes the change again that was undone last.
  ///
  /// - Returns: that change.
  /// - Throws: `SafelightError(.invalidValue)` if nothing was undone since the last change.
  @discardableResult
  package mutating func redo() throws -> Change {
    guard let last = undone.popLast() else {
      throw SafelightError(
        .invalidValue, "There is nothing to do again", remedy: "only what was undone last can be")
    }
    let change = last.exchanged(for: recipe, of: last.photo == nil ? nil : photo)
    history.append(change)
    recipe = last.replaced
    photo = last.photo ?? photo
    engine = SafelightVersion.current
    return change
  }
}

extension RecipeSidecar.Change {
  /// The same step with another recipe, and the photo that it is for.
  fileprivate func exchanged(for recipe: Recipe?, of photo: FileFingerprint?) -> Self {
    Self(time: time, action: action, source: source, replaced: recipe, photo: photo)
  }
}
