import Capture
import Files
import FrameCore

/// A photo that was taken as a proxy and is yet to be finished.
public struct UnfinishedPhoto: JSONReport {
  /// Tells it from others in its folder.
  public var id: String
  /// The path of the proxy, or of the folder of frames if that is damaged.
  public var path: String
  /// When it was captured, in local time: `2026-11-23T12:34:56.789+01:00`; nil if unknown.
  @OrNull public var capturedAt: String?
  /// `speed`, `balanced` or `quality`; nil if unknown.
  @OrNull public var qualityPrioritization: String?
  /// The number of its frames, and the bytes that they take.
  public var frames = 0
  public var bytes = 0
  /// Why it cannot be finished; nil as far as is known.
  public var problem: String?

  init(_ id: String, _ manifest: DeferredManifest, in folder: String) {
    self.id = id
    path = FolderListing.path(manifest.outputs[manifest.outputs.count - 1].name, in: folder)
    _capturedAt = OrNull(wrappedValue: manifest.date?.iso8601)
    _qualityPrioritization = OrNull(wrappedValue: manifest.settings.qualityPrioritization.rawValue)
    (frames, bytes) = (manifest.frames.count, manifest.contents.bytes)
  }

  init(_ id: String, at path: String, problem: SafelightError) {
    (self.id, self.path, self.problem) = (id, path, problem.description)
    (_capturedAt, _qualityPrioritization) = (OrNull(wrappedValue: nil), OrNull(wrappedValue: nil))
  }
}
