import Safelight

/// What the desk knows of all photos of its list. Belongs to the desk's thread.
final class StudioLibrary {
  /// What works for it beside the desk.
  struct Workers: Sendable {
    /// Reads and writes marks, and reads folders.
    let reader: SerialWorker
    /// Write the marks of many photos at once: each waits for the disk twice, and a disk makes several writes as soon as
    /// one.
    let markers = ThreadTeam(name: "marks", threads: 8)
    /// Each makes one small picture at a time.
    let lanes: [Lane]
    /// For many photos one after another: pages want the other cores meanwhile.
    let renderer = CPURenderer(threads: max(1, ProcessorCount.usable / 2))

    struct Lane: Sendable {
      let worker: SerialWorker
      let maker: ThumbnailMaker
    }

    /// - Throws: `SafelightError` if the system grants no more threads.
    init(cache: ThumbnailCache) throws {
      reader = try SerialWorker(name: "library")
      // Frames want a core for themselves; beyond some, the disk is what is waited for.
      lanes = try (0..<min(max(ProcessorCount.usable - 1, 1), 4)).map { _ in
        Lane(
          worker: try SerialWorker(name: "small"),
          maker: ThumbnailMaker(cache: cache, renderer: CPURenderer(threads: 1)))
      }
    }

    func close() {
      reader.close()
      lanes.forEach { $0.worker.close() }
    }
  }

  /// All that are not neutral, by the photos' ids.
  private(set) var marks: [String: PhotoMark] = [:]
  /// The ids of photos with an edit beside them.
  private(set) var edited: Set<String> = []
  /// Whether marks and edits were asked for.
  var isRead = false
  var watch: FolderWatch?
  /// Lanes that make nothing.
  var idleLanes: [Int]
  var batches: [StudioBatch] = []
  /// When pages are to be told of the list, and of which photos have edits.
  var photosDue, editsDue: Timestamp?
  var photosTold: Timestamp?

  init(_ workers: Workers) { idleLanes = Array(workers.lanes.indices) }

  /// Takes over what was read; returns what is new.
  func learn(_ read: [String: PhotoMark]) -> [String: PhotoMark] {
    let new = read.filter { (marks[$0.key] ?? .neutral) != $0.value }
    for (id, mark) in new { marks[id] = mark == .neutral ? nil : mark }
    return new
  }

  /// Takes over whether a photo has an edit; returns whether that is new.
  func learn(edited id: String, _ isEdited: Bool) -> Bool {
    isEdited ? edited.insert(id).inserted : edited.remove(id) != nil
  }

  /// A photo is gone.
  func forget(_ id: String) {
    marks[id] = nil
    edited.remove(id)
  }

  /// When there is something to be told; nil if there is not.
  var due: Timestamp? { [photosDue, editsDue].compactMap { $0 }.min() }
}
