import Safelight

/// The edit of live frames: as that of a photo, but kept in memory, with its history.
struct CameraLook {
  private(set) var edit = StudioEdit()
  /// Of `edit`, its files loaded.
  private(set) var recipe = Recipe()
  /// The newest step, which `edit` may be ahead of while something is dragged.
  private var saved = StudioEdit()
  private var undone: [StudioEdit] = []
  private var done: [StudioEdit] = []
  /// The part of the frame's width and height that is shown is 1/`zoom`.
  var zoom = 1.0
  /// Changes with what is to be seen.
  private(set) var version = 0
  private let files = FileSnapshot()
  /// Relative names in edits are of this folder.
  private let folder: String

  private static let mostSteps = 500

  init(folder: String) { self.folder = folder }

  var steps: (undo: Int, redo: Int) { (done.count, undone.count) }

  /// Makes an edit the newest state.
  ///
  /// - Throws: `SafelightError` if it cannot be used; then nothing changes.
  mutating func set(_ edit: StudioEdit) throws {
    recipe = try recipe(of: edit)
    self.edit = edit
    version += 1
  }

  mutating func setZoom(_ factor: Double) {
    zoom = factor
    version += 1
  }

  /// Returns the recipe of another edit.
  func recipe(of edit: StudioEdit) throws -> Recipe {
    try edit.recipe(forPhoto: FolderListing.path("camera", in: folder), in: files)
  }

  /// Makes the newest state a step; returns what it changed.
  mutating func commit() throws -> String {
    let label = StudioChange.title(from: saved, to: edit)
    guard try saved.json != edit.json else { return label }
    done = Array((done + [saved]).suffix(Self.mostSteps))
    undone = []
    saved = edit
    return label
  }

  /// Goes a step back or forward; returns what it changed, nil if there is none.
  mutating func step(isUndo: Bool) throws -> String? {
    guard let next = isUndo ? done.last : undone.last else { return nil }
    let label = StudioChange.title(from: saved, to: next)
    try set(next)
    if isUndo {
      done.removeLast()
      undone.append(saved)
    } else {
      undone.removeLast()
      done.append(saved)
    }
    saved = next
    return label
  }
}

extension Recipe {
  /// Returns this recipe with the middle of what it shows enlarged: one crop does both.
  ///
  /// - Parameters:
  ///   - zoom: at least 1.
  ///   - input: the frames.
  /// - Throws: `SafelightError` if the recipe does not fit the frames.
  func zoomed(by zoom: Double, of input: PlanInput) throws -> Recipe {
    guard zoom > 1 else { return self }
    var recipe = self
    let index = recipe.filters.lastIndex { $0 is Crop }
    let region = index.flatMap { (recipe.filters[$0] as? Crop)?.region } ?? .whole
    var uncropped = geometryOnly
    if let last = uncropped.filters.lastIndex(where: { $0 is Crop }) { uncropped.filters.remove(at: last) }
    uncropped.filters.removeAll { $0 is Resize }
    let size = try Plan(uncropped, input: input, output: PlanOutput(), optimized: false).outputSize
    let whole = try Crop.window(of: region, in: size)
    let width = max(1, Int((Double(whole.width) / zoom).rounded()))
    let height = max(1, Int((Double(whole.height) / zoom).rounded()))
    let crop = Crop(
      .rectangle(
        x: whole.x + (whole.width - width) / 2, y: whole.y + (whole.height - height) / 2, width: width,
        height: height))
    if let index { recipe.filters[index] = crop } else { recipe.filters.append(crop) }
    return recipe
  }

  /// What a view shows of it.
  func shown(in view: StudioView, zoom: Double, of input: PlanInput) throws -> Recipe {
    guard view.isUncropped else { return try zoomed(by: zoom, of: input) }
    var whole = self
    whole.filters.removeAll { $0 is Crop || $0 is Resize }
    return whole
  }
}

extension PhotoSession {
  /// Stands for live frames where an edit is all that counts.
  static func ofCamera(in folder: String?) -> PhotoSession {
    let path = FolderListing.path(CameraRequest.photo, in: folder ?? "")
    return PhotoSession(StudioPhotos.Entry(id: CameraRequest.photo, name: CameraRequest.photo, path: path))
  }
}
