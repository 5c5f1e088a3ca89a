import Files
import FrameCore
import PhotoIO
import Libc

/// A photo and the rules that name it.
struct NamedPhoto: Sendable, Hashable {
  /// Its `origin`.
  var photo: PathKey
  /// The identifier from `BatchNaming.rules(of:)`.
  var rules: PathKey
}

/// Decides the name of each result, photo by photo, and remembers the assigned names. What to do with an existing
/// file of that name is decided when the photo is edited (`BatchTarget`).
struct BatchNamePlanner {
  /// A photo that was named in this run.
  private struct Given {
    var name: String
    /// Identifies the rules that produced it.
    var rules: String
    /// The path as the user named it.
    var path: String
    var state: BatchJournal.FileState?
    var original: OriginalIdentity?
  }

  private let naming: BatchNaming
  private let folder: String
  private let journal: BatchJournal?
  /// What other parts of the batch, on other machines, have made so far.
  private let others: [BatchJournal]
  /// The names that an earlier run gave to the same photos, which are kept.
  private let known: [NamedPhoto: String]
  /// The photo that has each name.
  private var taken: [PathKey: PathKey] = [:]
  private var given: [PathKey: Given] = [:]
  private var originals: Set<FileIdentity> = []
  private let otherInputs: Set<FileIdentity>
  /// The next number to try for each name, so that a thousand photos of one name do not try a thousand numbers
  /// each.
  private var numbers: [PathKey: Int] = [:]
  private var count = 0

  /// - Parameters:
  ///   - others: the journals of other parts; their results are no photos.
  ///   - resumes: whether names recorded in the journal are kept.
  ///   - otherInputs: paths of files that are read besides the photos.
  init(
    _ naming: BatchNaming, in folder: String, journal: BatchJournal?, others: [BatchJournal] = [],
    resumes: Bool,
    otherInputs: [String] = []
  ) {
    self.otherInputs = Set(otherInputs.compactMap(FileIdentity.init))
    (self.naming, self.folder, self.journal, self.others) = (naming, folder, journal, others)
    known = resumes ? journal?.names(by: naming.identifies) ?? [:] : [:]
    for (named, output) in known { taken[PathKey(output)] = named.photo }
  }

  /// Names photos such that no result replaces another photo.
  ///
  /// - Parameters:
  ///   - editor: reads the headers that names depend on; nil if they do not.
  ///   - goesOn: called before each photo that is examined, with the number named so far; false leaves the rest
  ///     unnamed.
  mutating func items(
    for photos: [BatchInputs.Photo], examining editor: (any BatchEditor)?,
    while goesOn: (_ named: Int) -> Bool = { _ in true }
  ) -> [BatchNaming.Item] {
    let results = photos.map(resultName)
    originals.formUnion(
      zip(photos, results).compactMap { $1 == nil ? FileIdentity($0.path) : nil })
    var isStopped = false
    return zip(photos, results).enumerated().map { named, photo in
      if editor != nil { isStopped = isStopped || !goesOn(named) }
      guard !isStopped else {
        count += 1
        let reason = SafelightError(.file, "\(photo.0.path) was not reached")
        return BatchNaming.Item(
          photo: photo.0, index: photo.0.index ?? count, output: "", decision: .fail(reason))
      }
      return item(for: photo.0, result: photo.1, editor)
    }
  }

  /// Whether a file is one of the photos.
  func isOriginal(_ file: FileIdentity) -> Bool { originals.contains(file) }

  /// Whether a file is another input of the run.
  func isOtherInput(_ file: FileIdentity) -> Bool { otherInputs.contains(file) }

  /// Gives a photo another name because its own is taken.
  mutating func rename(_ item: BatchNaming.Item) -> String {
    let name = unused(item.output)
    give(name, to: item.photo, by: item.rules)
    return name
  }

  /// - Parameter result: the name under which the photo is itself a result.
  private mutating func item(
    for photo: BatchInputs.Photo, result: String?, _ editor: (any BatchEditor)?
  ) -> BatchNaming.Item {
    count += 1
    var item = BatchNaming.Item(photo: photo, index: photo.index ?? count, output: "", decision: .edit)
    if let reason = photo.passedOver {
      item.decision = .skip(reason)
      return item
    }
    item.rules = naming.rules(of: photo.path)
    do {
      if let result {
        (item.output, item.decision) = (result, .skip("it is itself a result of an earlier run"))
      } else if let own = own(photo, by: item.rules) {
        item.output = own
      } else {
        let facts = try editor?.open(photo.path).examination
        let name = try naming.output(
          for: photo, index: item.index, facts: facts?.facts,
          size: facts.map { PixelSize(width: $0.resultWidth, height: $0.resultHeight) })
        item.output = name
        if naming.conflict == .rename { item.output = unused(name) }
        if let other = taken[PathKey(item.output)], other != PathKey(photo.origin) {
          throw SafelightError(
            .invalidValue, "\(photo.path) and \(given[other]?.path ?? other.path) would both become \(name)",
            remedy: "use --name with {index}, or --on-conflict rename")
        }
      }
    } catch let error as SafelightError {
      item.decision = .fail(error)
    } catch {
      item.decision = .fail(SafelightError(.file, "\(error)"))
    }
    if case .edit = item.decision { give(item.output, to: photo, by: item.rules) }
    return item
  }

  private mutating func give(_ name: String, to photo: BatchInputs.Photo, by rules: String) {
    taken[PathKey(name)] = PathKey(photo.origin)
    given[PathKey(photo.origin)] = Given(
      name: name, rules: rules, path: photo.path, state: BatchJournal.FileState(photo.path),
      original: OriginalIdentity(photo.path))
  }

  /// Returns the name that the photo already has by these rules, from this run or an earlier one. A photo that
  /// later took its place is named anew, and so is one that was changed if names depend on its contents.
  private func own(_ photo: BatchInputs.Photo, by rules: String) -> String? {
    let state = BatchJournal.FileState(photo.path)
    func isSame(_ old: BatchJournal.FileState?, _ original: OriginalIdentity?) -> Bool {
      old == nil || old == state || original != nil && original == OriginalIdentity(photo.path)
    }
    if let given = given[PathKey(photo.origin)], given.rules == rules {
      return isSame(given.state, given.original) ? given.name : nil
    }
    let named = NamedPhoto(photo: PathKey(photo.origin), rules: PathKey(rules))
    guard let name = known[named], let record = journal?.record(of: name) else { return nil }
    guard isSame(record.state, record.original) else { return nil }
    let isFixed = !naming.template.needsMetadata && !naming.template.needsSize
    return isFixed || record.state == nil || record.state == state ? name : nil
  }

  /// Returns the name under which the journal records this photo, which was found in a folder, as a result.
  private func resultName(_ photo: BatchInputs.Photo) -> String? {
    let journals = [journal].compactMap(\.self) + others
    guard !photo.isNamed, given[PathKey(photo.origin)] == nil, !journals.isEmpty,
      let path = realpath(photo.path, nil)
    else { return nil }
    defer { free(path) }
    guard let root = realpath(folder.isEmpty ? "." : folder, nil) else { return nil }
    defer { free(root) }
    let (place, base) = (String(cString: path).utf8, (String(cString: root) + "/").utf8)
    guard place.starts(with: base), let name = String(place.dropFirst(base.count)) else { return nil }
    let isResult = journals.contains { journal in
      guard let record = journal.record(of: name) else { return false }
      return record.isUnderWay || record.lastResult != nil
    }
    return isResult ? name : nil
  }

  /// Returns the first of `name`, `name-2`, … that no photo and no file has.
  private mutating func unused(_ name: String) -> String {
    var number = numbers[PathKey(name)] ?? 1
    while true {
      let candidate = number == 1 ? name : BatchNaming.numbered(name, number)
      number += 1
      guard taken[PathKey(candidate)] == nil,
        FileIdentity(FolderListing.path(candidate, in: folder)) == nil
      else { continue }
      numbers[PathKey(name)] = number
      return candidate
    }
  }
}
