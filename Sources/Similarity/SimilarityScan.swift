import BatchEditing
import Editing
import Files
import FrameCore
import PhotoIO
import Synchronization

/// The photos of a folder with their signatures, old and new.
///
///     let scan = try SimilarityScan("shoot", recursive: true)
///     let groups = SimilarGroups(scan.photos)
public struct SimilarityScan: Sendable {
  public struct Photo: Sendable, Hashable {
    public var path: String
    /// In bytes.
    public var bytes: Int
    /// When the file was written last, in seconds since 1970.
    public var written: Int
    public var signature: PhotoSignature
  }

  /// In natural order.
  public private(set) var photos: [Photo] = []
  /// Photos and folders that could not be read.
  public private(set) var problems: [SafelightError] = []
  /// What was left out on purpose, and why the index was not used or kept, one sentence each.
  public private(set) var notes: [String] = []
  /// Photos that had to be read; what is known of the others was in the index.
  public private(set) var measured = 0

  /// The memory that photos measured at the same time may take together, in bytes.
  private static let memory = 2_000_000_000
  /// The seconds after which the index is written, so that little is lost if the program is ended.
  private static let pause = 30.0

  /// Reads the photos that are new or changed, and brings the index up to date.
  ///
  /// - Parameters:
  ///   - recursive: whether subfolders are searched.
  ///   - began: told how many photos have to be read.
  ///   - advanced: told each photo that was read; called on several threads.
  /// - Throws: `SafelightError(.file)` if `folder` is no folder that can be read.
  public init(
    _ folder: String, recursive: Bool, began: (Int) -> Void = { _ in },
    advanced: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    guard FileIdentity(folder)?.isFolder == true else {
      throw SafelightError(.file, "\(folder) is not a folder", remedy: "name a folder with photos")
    }
    let inputs = BatchInputs([folder], recursive: recursive)
    (problems, notes) = (inputs.problems, inputs.notes)
    let paths = inputs.photos.map(\.path)
    let names = paths.map { Self.name($0, in: folder) }
    let stamps = paths.map { SimilarityIndex.Stamp($0) }
    let old: SimilarityIndex
    do {
      old = try SimilarityIndex.read(in: folder)
    } catch {
      notes.append("\(error)")
      old = SimilarityIndex()
    }
    var signatures = paths.indices.map { place in
      stamps[place].flatMap { old.signature(names[place], $0) }
    }
    let missing = paths.indices.filter { signatures[$0] == nil }
    measured = missing.count
    began(missing.count)
    let work = Work(paths, names, stamps, old, folder: folder)
    work.measure(missing, advanced)
    for (place, result) in work.results {
      switch result {
      case .success(let signature): signatures[place] = signature
      case .failure(let error): problems.append(error)
      }
    }
    for (place, path) in paths.enumerated() {
      guard let signature = signatures[place], let stamp = stamps[place] else { continue }
      photos.append(Photo(path: path, bytes: stamp.bytes, written: stamp.seconds, signature: signature))
    }
    // What is below folders that were not searched this time stays known.
    let known = Set(names)
    var index = SimilarityIndex()
    index.entries = old.entries.filter { !recursive && $0.key.contains("/") && !known.contains($0.key) }
    for (place, name) in names.enumerated() {
      if let signature = signatures[place], let stamp = stamps[place] {
        index.entries[name] = SimilarityIndex.Entry(stamp: stamp, signature: signature)
      }
    }
    guard index != old else { return }
    do {
      try index.write(in: folder)
    } catch {
      notes.append("The photos will be read again next time. \(error)")
    }
  }

  private static func name(_ path: String, in folder: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  /// Photos being read, and what was found.
  private final class Work: Sendable {
    private struct State {
      var results: [Int: Result<PhotoSignature, SafelightError>] = [:]
      var saved = Timestamp.now
    }
    private let state = Mutex(State())
    private let paths, names: [String]
    private let stamps: [SimilarityIndex.Stamp?]
    private let old: SimilarityIndex
    private let folder: String

    var results: [(key: Int, value: Result<PhotoSignature, SafelightError>)] {
      state.withLock { $0.results.sorted { $0.key < $1.key } }
    }

    init(
      _ paths: [String], _ names: [String], _ stamps: [SimilarityIndex.Stamp?], _ old: SimilarityIndex,
      folder: String
    ) { (self.paths, self.names, self.stamps, self.old, self.folder) = (paths, names, stamps, old, folder) }

    func measure(_ places: [Int], _ advanced: @escaping @Sendable (String) -> Void) {
      let budget = MemoryBudget(bytes: SimilarityScan.memory)
      let team = ThreadTeam(name: "similar", threads: max(1, min(ProcessorCount.usable, places.count)))
      team.run(places.count) { [self] index in
        let path = paths[places[index]]
        // Reading the photo reports why its header cannot be read.
        let bytes = (try? PhotoHeader.read(path)).map(PhotoAnalysis.memory(of:)) ?? 0
        let result = budget.spend(bytes) { Self.signature(path) }
        state.withLock { $0.results[places[index]] = result }
        advanced(path)
        saveNowAndThen()
      }
    }

    private static func signature(_ path: String) -> Result<PhotoSignature, SafelightError> {
      do {
        return .success(try PhotoSignature(contentsOf: path))
      } catch let error as SafelightError {
        return .failure(error)
      } catch {
        return .failure(SafelightError(.file, "Cannot read \(path): \(error)"))
      }
    }

    private func saveNowAndThen() {
      let results = state.withLock { state -> [Int: Result<PhotoSignature, SafelightError>]? in
        guard Timestamp.now.seconds(since: state.saved) > SimilarityScan.pause else { return nil }
        state.saved = .now
        return state.results
      }
      guard let results else { return }
      var index = old
      for (place, result) in results {
        guard case .success(let signature) = result, let stamp = stamps[place] else { continue }
        index.entries[names[place]] = SimilarityIndex.Entry(stamp: stamp, signature: signature)
      }
      // In the end it is tried once more, and told.
      try? index.write(in: folder)
    }
  }
}
