import FrameCore
import PhotoIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Decides, photo after photo and before anything is written, which goes where. Remembers what it gave away.
struct BatchNamePlanner {
  private let naming: BatchNaming
  private let folder: String
  private let journal: BatchJournal?
  /// The names that a run before gave to the same photos, which are kept.
  private let known: [String: String]
  /// The photo that has each name.
  private var taken: [String: String] = [:]
  /// The name of each photo in this run.
  private var given: [String: String] = [:]
  private var originals: Set<FileIdentity> = []
  /// The number to try next, by name, so that a thousand photos of one name do not try a thousand numbers each.
  private var numbers: [String: Int] = [:]
  private var count = 0

  /// - Parameter resumes: whether names that the journal knows are kept.
  init(_ naming: BatchNaming, in folder: String, journal: BatchJournal?, resumes: Bool) {
    (self.naming, self.folder, self.journal) = (naming, folder, journal)
    known = resumes ? journal?.names(by: naming.identity) ?? [:] : [:]
    for (input, output) in known { taken[output] = input }
  }

  /// Decides about photos, of which none is replaced by the result of another.
  ///
  /// - Parameters:
  ///   - editor: reads what names depend on; nil where they do not.
  ///   - goesOn: called before each photo that is examined, with how many were named; false leaves the rest without names.
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

  /// - Parameter result: the name under which the photo is a result itself.
  private mutating func item(
    for photo: BatchInputs.Photo, result: String?, _ editor: (any BatchEditor)?
  ) -> BatchNaming.Item {
    count += 1
    var item = BatchNaming.Item(
      photo: photo, index: photo.index ?? count, output: "", decision: .edit(overwrite: false))
    if let reason = photo.passedOver {
      item.decision = .skip(reason)
      return item
    }
    do {
      if let result {
        (item.output, item.decision) = (result, .skip("it is a result of an earlier run itself"))
      } else if let own = own(photo) {
        item.output = own
        (item.output, item.decision) = try decide(again: own, photo)
      } else {
        let facts = try editor?.examine(photo.path)
        let name = try naming.output(
          for: photo, index: item.index, facts: facts?.facts,
          size: facts.map { PixelSize(width: $0.resultWidth, height: $0.resultHeight) })
        item.output = name
        (item.output, item.decision) = try decide(name, photo)
      }
    } catch let error as SafelightError {
      item.decision = .fail(error)
    } catch {
      item.decision = .fail(SafelightError(.file, "\(error)"))
    }
    if case .edit = item.decision {
      taken[item.output] = photo.path
      given[photo.path] = item.output
    }
    return item
  }

  /// The name that the photo has already: from this run, or, while it is the same file, from one before.
  private func own(_ photo: BatchInputs.Photo) -> String? {
    if let name = given[photo.path] { return name }
    guard let name = known[photo.path] else { return nil }
    let isFixed = !naming.template.needsMetadata && !naming.template.needsSize
    guard !isFixed, let state = journal?.record(of: name)?.state else { return name }
    return state == BatchJournal.FileState(photo.path) ? name : nil
  }

  /// The name under which the journal has this photo, which was found in a folder, as a result.
  private func resultName(_ photo: BatchInputs.Photo) -> String? {
    guard !photo.isNamed, given[photo.path] == nil, let journal, let path = realpath(photo.path, nil) else {
      return nil
    }
    defer { free(path) }
    guard let root = realpath(folder.isEmpty ? "." : folder, nil) else { return nil }
    defer { free(root) }
    let (place, base) = (String(cString: path), String(cString: root) + "/")
    guard place.hasPrefix(base) else { return nil }
    let name = String(place.dropFirst(base.count))
    return journal.record(of: name)?.isStarted == true ? name : nil
  }

  private func path(_ name: String) -> String { FolderListing.path(name, in: folder) }

  /// A name that the photo has already.
  private mutating func decide(again name: String, _ photo: BatchInputs.Photo) throws -> (
    String, BatchNaming.Decision
  ) {
    guard let found = FileIdentity(path(name)) else { return (name, .edit(overwrite: false)) }
    guard !originals.contains(found) else { throw replacesOriginal(name, photo) }
    // Whole or not, it is the batch's own, unless that only had the intention.
    if journal?.record(of: name)?.isStarted == true { return (name, .edit(overwrite: true)) }
    return try decide(name, photo)
  }

  private mutating func decide(
    _ name: String, _ photo: BatchInputs.Photo
  ) throws -> (String, BatchNaming.Decision) {
    if naming.conflict == .rename {
      var number = numbers[name] ?? 1
      while true {
        let candidate = number == 1 ? name : BatchNaming.numbered(name, number)
        number += 1
        guard taken[candidate] == nil, FileIdentity(path(candidate)) == nil else { continue }
        numbers[name] = number
        return (candidate, .edit(overwrite: false))
      }
    }
    if let other = taken[name], other != photo.path {
      throw SafelightError(
        .invalidValue, "\(photo.path) and \(other) would both become \(name)",
        remedy: "use --name with {index}, or --on-conflict rename")
    }
    guard let found = FileIdentity(path(name)) else { return (name, .edit(overwrite: false)) }
    guard !originals.contains(found) else { throw replacesOriginal(name, photo) }
    let isOwn = known[photo.path] == name && journal?.record(of: name)?.isStarted == true
    if isOwn { return (name, .edit(overwrite: true)) }
    switch naming.conflict {
    case .overwrite: return (name, .edit(overwrite: true))
    case .skip: return (name, .skip("\(name) exists already"))
    case .fail, .rename:
      throw SafelightError(
        .file, "\(name) exists already", remedy: "choose with --on-conflict skip, overwrite or rename")
    }
  }

  private func replacesOriginal(_ name: String, _ photo: BatchInputs.Photo) -> SafelightError {
    SafelightError(
      .invalidValue, "The result of \(photo.path) would replace an original, \(name)",
      remedy: "write to another folder, or use another --name")
  }
}
