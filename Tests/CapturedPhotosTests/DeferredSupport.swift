import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@testable import CapturedPhotos

/// Deferred photos of frames that are made here.
enum Deferred {
  static let size = PixelSize(width: 192, height: 128)

  /// A photo of `count` frames a tenth of a second apart, with noise that merging lowers. Its middle one is nearest to
  /// the press.
  static func captured(
    _ quality: PhotoQualityPrioritization = .quality, count: Int = 4, format: PixelFormat = .rgba8,
    isDeferred: Bool = true, orientation: Orientation = .up
  ) throws -> CapturedPhoto {
    let begin = Timestamp.now.advanced(bySeconds: -1)
    let tags =
      format.isYCbCr ? ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited) : .sRGB
    let frames = try (0..<count).map { index in
      let buffer = try PixelBuffer(size: size, format: format, tags: tags)
      var random = SeededRandom(seed: UInt64(index))
      for (number, plane) in format.planes.enumerated() {
        for y in 0..<plane.rows(height: size.height) {
          let row = buffer.row(y, of: number, as: UInt8.self)
          for x in row.indices {
            let base = (x / 24 + y / 16) % 2 == 0 ? 170 : 90
            let level = UInt8(base + Int.random(in: -9...9, using: &random))
            row[x] = format == .rgba8 && x % 4 == 3 ? 255 : level
          }
        }
      }
      return frame(.samples(buffer), tags, begin, index, orientation)
    }
    return photo(of: frames, quality, isDeferred)
  }

  /// As `captured`, of Motion JPEG.
  static func capturedJPEG(_ quality: PhotoQualityPrioritization, in folder: Scratch) throws -> CapturedPhoto
  {
    let begin = Timestamp.now.advanced(bySeconds: -1)
    let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .full)
    let frames = try captured(quality).frames.enumerated().map { index, source in
      try source.samples().write(to: folder("source-\(index).jpg"))
      let bytes = try folder.read("source-\(index).jpg")
      try FileManager.default.removeItem(atPath: folder("source-\(index).jpg"))
      let picture = bytes.withUnsafeBytes { EncodedPicture(copying: $0) }
      return frame(.jpeg(picture), tags, begin, index, .up)
    }
    return photo(of: frames, quality, true)
  }

  private static func frame(
    _ content: PhotoFrame.Content, _ tags: ColorTags, _ begin: Timestamp, _ index: Int,
    _ orientation: Orientation
  ) -> PhotoFrame {
    PhotoFrame(
      content: content, size: size, tags: tags, time: begin.advanced(bySeconds: 0.1 * Double(index)),
      sequence: UInt64(40 + index), orientation: orientation, sampleAspect: .square, fieldOrder: .progressive)
  }

  private static func photo(
    of frames: [PhotoFrame], _ quality: PhotoQualityPrioritization, _ isDeferred: Bool
  ) -> CapturedPhoto {
    let reference = frames.count / 2
    let settings = ResolvedPhotoSettings(
      id: 1, number: 1, pressedAt: frames[reference].time.advanced(bySeconds: 0.01),
      qualityPrioritization: quality, frameCount: frames.count, zeroShutterLag: .applies,
      isDeferred: isDeferred, burst: nil)
    return CapturedPhoto(settings: settings, frames: frames, reference: reference, offset: -0.01)
  }

  static func delivery(
    _ path: String, _ edit: Edit = Edit(), original: PhotoDelivery.Original = .none
  ) throws -> PhotoDelivery {
    PhotoDelivery(names: try PhotoNames(path), edit: edit, original: original, camera: "Test camera")
  }

  /// Whether two photos have the same samples.
  static func areEqual(_ a: String, _ b: String) throws -> Bool {
    let (a, b) = (try Photo(contentsOf: a).buffer, try Photo(contentsOf: b).buffer)
    guard a.size == b.size, a.format == b.format else { return false }
    return (0..<a.height).allSatisfy {
      a.row($0, as: UInt8.self).elementsEqual(b.row($0, as: UInt8.self))
    }
  }

  /// Finishes what is unfinished in a folder; expects it to be without problems.
  @discardableResult
  static func finishAll(_ folder: Scratch) throws -> [DeliveredPhoto] {
    let photos = DeferredPhotos(folder.path)
    let finished = try photos.unfinished().compactMap { photo in
      #expect(photo.problem == nil)
      return try photos.finish(photo.id)
    }
    try photos.removeLeftovers()
    return finished
  }

  static func record(_ photo: DeliveredPhoto, in folder: Scratch) throws -> String {
    try folder(".safelight-unfinished/" + #require(photo.deferredID))
  }
}
