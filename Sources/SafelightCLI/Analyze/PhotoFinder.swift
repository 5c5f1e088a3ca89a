import Safelight
import Synchronization

/// A photo in which things were looked for.
struct SearchedPhoto: Sendable {
  let path: String
  /// Nil if it could not be read.
  var size: PixelSize?
  /// Why it could not be read.
  var error: String?
  var found: [Detection] = []
  /// Nil if it was not asked for.
  var quality: PhotoQuality?
  /// Why something could not be looked for, or drawn, in this photo.
  var problems: [String] = []
  var warnings: [String] = []
  /// The file of the drawing.
  var drawing: String?

  var report: FindingsReport {
    guard let size else { return FindingsReport(path, error: error ?? "") }
    var report = FindingsReport(path, size: size, found, problems: problems, drawing: drawing)
    report.quality = quality
    return report
  }
}

/// Looks for things in photos, one photo at a time.
final class PhotoFinder: @unchecked Sendable {
  private var detectors: [any FrameDetector]
  /// Nil if the quality is not asked for.
  private let focusMeter: FocusMeter?

  init(_ options: FindOptions) throws {
    let worker = try options.vision.map { try VisionWorker($0) }
    try worker?.start()
    detectors = (options.find ?? []).compactMap { $0.detector(worker) }
    focusMeter = options.find?.contains(.quality) == true ? FocusMeter() : nil
  }

  /// Looks for things in photos, as many at a time as there are cores, and shows the progress on a terminal.
  ///
  /// - Parameters:
  ///   - drawings: the file that each photo's drawing goes to.
  ///   - overwrite: whether they may replace files.
  /// - Throws: `SafelightError` if something cannot be looked for in any photo.
  static func search(_ paths: [String], _ options: FindOptions, drawings: [String]?, overwrite: Bool) throws
    -> [SearchedPhoto]
  {
    // The first shows whether there is what it takes; each thread has one of its own.
    let idle = Mutex([try PhotoFinder(options)])
    let results = Mutex([SearchedPhoto?](repeating: nil, count: paths.count))
    let progress = CountedProgress("searched", of: paths.count)
    ThreadTeam(name: "find", threads: min(ProcessorCount.usable, paths.count)).run(paths.count) { index in
      var photo = SearchedPhoto(path: paths[index])
      do {
        let finder = try idle.withLock { $0.popLast() } ?? PhotoFinder(options)
        try finder.search(&photo, drawing: drawings?[index], overwrite: overwrite)
        idle.withLock { $0.append(finder) }
      } catch {
        photo.error = sentence(error)
      }
      results.withLock { $0[index] = photo }
      progress.advance(paths[index])
    }
    progress.end()
    return results.withLock { $0.compactMap(\.self) }
  }

  private func search(_ photo: inout SearchedPhoto, drawing: String?, overwrite: Bool) throws {
    let sample: PhotoSample
    let frame: Frame
    do {
      sample = try PhotoSample(contentsOf: photo.path)
      frame = Frame(buffer: try PhotoLuma.read(photo.path))
    } catch {
      // The finder can go on.
      photo.error = Self.sentence(error)
      return
    }
    photo.size = sample.size
    photo.warnings = sample.warnings
    for index in detectors.indices {
      do {
        photo.found += try detectors[index].detections(in: sample.proxy, of: frame)
      } catch {
        photo.problems.append(Self.sentence(error))
      }
    }
    if let focusMeter {
      do {
        photo.quality = PhotoQuality(try PhotoAnalysis(sample), middle: focusMeter.measure(frame))
      } catch {
        photo.problems.append(Self.sentence(error))
      }
    }
    guard let drawing else { return }
    do {
      photo.warnings += try FindingsDrawing(sample, photo.found).render().write(
        to: drawing, overwrite: overwrite)
      photo.drawing = drawing
    } catch {
      photo.problems.append(Self.sentence(error))
    }
  }

  private static func sentence(_ error: any Error) -> String {
    guard let error = error as? SafelightError else { return "\(error)" }
    return error.forCommandLine.description
  }
}

/// The luma of a photo at its full size, the right way up, read in bands: of 24 megapixels, 24 MB.
enum PhotoLuma {
  /// - Throws: `SafelightError` if the photo cannot be read.
  static func read(_ path: String) throws -> PixelBuffer {
    let reader = try PhotoReader(contentsOf: path)
    let factor = UprightLuma.factor(
      for: reader.size, longEdge: VisionWorker.longestEdge, pixels: VisionWorker.mostPixels)
    var luma = UprightLuma(of: reader.size, orientation: reader.orientation, factor: factor)
    let picture = try PixelBuffer(size: luma.size, format: .gray8)
    let target = UprightLuma.Target(
      base: picture.planes[0].base.assumingMemoryBound(to: UInt8.self), rowBytes: picture.planes[0].rowBytes)
    let band = try PixelBuffer(
      size: PixelSize(width: reader.size.width, height: min(64, reader.size.height)), format: reader.format,
      tags: reader.tags, alpha: reader.alpha)
    while reader.position < reader.size.height { luma.add(try reader.read(into: band), of: band, to: target) }
    try reader.finish()
    return picture
  }
}
