import Dispatch

/// Samples photos in their order, each while the one before is worked on.
///
///     let samples = PhotoSampleReader(paths)
///     for index in paths.indices { use(try samples.sample(index)) }
public final class PhotoSampleReader {
  /// A photo that is read on another thread, which writes `result` before it leaves the group.
  private final class Reading: @unchecked Sendable {
    private let group = DispatchGroup()
    private var result: Result<PhotoSample, any Error>?

    init(_ path: String) {
      DispatchQueue.global().async(group: group) {
        self.result = Result { try PhotoSample(contentsOf: path) }
      }
    }

    func wait() throws -> PhotoSample? {
      group.wait()
      return try result?.get()
    }
  }

  private let paths: [String]
  private var readings: [Int: Reading] = [:]
  /// One that is worked on, and one that is read meanwhile: samples are some megabytes each.
  private static let ahead = 1

  public init(_ paths: [String]) { self.paths = paths }

  /// Returns the sample of a photo, and has the next one read.
  ///
  /// - Parameter index: of its path; paths are best asked for in their order.
  /// - Throws: as `PhotoSample.init(contentsOf:)`.
  public func sample(_ index: Int) throws -> PhotoSample {
    for near in index...min(index + Self.ahead, paths.count - 1) where readings[near] == nil {
      readings[near] = Reading(paths[near])
    }
    readings = readings.filter { $0.key >= index }
    return try readings[index]?.wait() ?? PhotoSample(contentsOf: paths[index])
  }
}
