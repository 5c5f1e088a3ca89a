import FrameAnalysis
import FrameCore
import PhotoIO

/// Makes one photo of several of the same scene: with less noise, or with the light of a bracket.
public struct PhotoMerge: Sendable {
  /// How photos become one.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// `FrameMerge`: photos of one exposure; noise falls.
    case average
    /// `ExposureFusion`, after `BracketAlignment`: each place is taken from the photos that expose it well.
    case exposures
  }

  public var method: Method
  /// The index of the photo that the others are aligned with, if they are averaged.
  public var reference: Int

  public init(_ method: Method = .average, reference: Int = 0) {
    (self.method, self.reference) = (method, reference)
  }

  /// What was merged.
  public struct Result: Sendable {
    /// 16 bits, with the reference's metadata and orientation.
    public var photo: Photo
    /// Of an average; nil for a fusion.
    public var statistics: MergeStatistics?
    /// Of a fusion, in pixels; empty for an average.
    public var shifts: [PictureShift]
  }

  /// Merges photos that are in memory.
  ///
  /// - Throws: `SafelightError` if their sizes, orientations, colour spaces or number do not fit.
  public func merge(_ photos: [Photo]) throws -> Result {
    guard photos.indices.contains(reference) else {
      throw SafelightError(
        .invalidValue, "Photo \(reference + 1) of \(photos.count) was to be the reference",
        remedy: "give 1…\(max(1, photos.count))")
    }
    guard photos.allSatisfy({ $0.orientation == photos[reference].orientation }) else {
      throw SafelightError(
        .invalidValue, "The photos are turned in different ways, so that they are not of one burst",
        remedy: "give photos of one burst")
    }
    for (index, photo) in photos.enumerated() where photo.buffer.size != photos[reference].buffer.size {
      throw SafelightError(
        .invalidValue,
        "Photo \(index + 1) has \(photo.buffer.size) pixels, the reference \(photos[reference].buffer.size)",
        remedy: "give photos of one burst or bracket")
    }
    let buffers = photos.map(\.buffer)
    var result = Result(photo: photos[reference], statistics: nil, shifts: [])
    switch method {
    case .average:
      let merged = try FrameMerge().merge(buffers, reference: reference)
      (result.photo.buffer, result.statistics) = (merged.buffer, merged.statistics)
    case .exposures:
      result.shifts = try BracketAlignment().shifts(of: buffers)
      result.photo.buffer = try ExposureFusion.balanced.fuse(buffers, shifts: result.shifts)
    }
    return result
  }
}
