import Safelight

/// A photo that is open, shared by all pages that show it.
final class PhotoSession {
  let entry: StudioPhotos.Entry
  /// Nil until it is decoded.
  var photo: ResidentPhoto?
  /// What the first picture is made of until then.
  var draft: PhotoDraft?
  var isLoading = false
  /// The newest state, saved or not; nil until it is read, or given by a page that comes back with its own.
  private(set) var newest: StudioEdit?
  var edit: StudioEdit { newest ?? StudioEdit() }
  /// The number of states that it has had.
  private(set) var edits = 0
  /// Of `edit`, its files loaded.
  private(set) var recipe = Recipe()
  /// The state that the file beside the photo has.
  var saved = StudioEdit()
  /// The steps that can be undone and done again.
  var steps = (undo: 0, redo: 0)
  /// When a page last looked at it.
  var lastUse = Timestamp.now
  /// Tables that its edits have named.
  private let files = FileSnapshot()

  init(_ entry: StudioPhotos.Entry) { self.entry = entry }

  /// Makes an edit the newest state.
  ///
  /// - Throws: `SafelightError` if it cannot be used; then nothing changes.
  func set(_ edit: StudioEdit) throws {
    recipe = try edit.recipe(forPhoto: entry.path, in: files)
    newest = edit
    edits += 1
  }

  /// Whether pages have changed the edit, and the file beside the photo does not have that yet.
  var isUnsaved: Bool { newest != nil && (try? edit.json) != (try? saved.json) }

  /// Returns the recipe of another edit of this photo.
  func recipe(of edit: StudioEdit) throws -> Recipe { try edit.recipe(forPhoto: entry.path, in: files) }

  /// What is rendered for a view.
  func recipe(for view: StudioView) -> Recipe {
    guard view.isUncropped else { return recipe }
    var whole = recipe
    whole.filters.removeAll { $0 is Crop || $0 is Resize }
    return whole
  }
}

/// What a photo has beside it when it is opened.
struct StoredEdit: Sendable {
  let edit: StudioEdit
  let undo, redo: Int
  /// Whether the photo has changed since.
  let isForOther: Bool

  /// - Throws: `SafelightError` if there is an edit that cannot be read.
  init(ofPhoto path: String) throws {
    let sidecar = try RecipeSidecar.read(forPhoto: path)
    self.init(sidecar)
  }

  init(_ sidecar: RecipeSidecar?, isForOther: Bool = false) {
    edit = sidecar?.recipe.map { StudioEdit($0) } ?? StudioEdit()
    (undo, redo) = (sidecar?.history.count ?? 0, sidecar?.undone.count ?? 0)
    self.isForOther = isForOther
  }
}
