import BenchmarkSupport
import Glibc
import Safelight

/// Brackets of exposures, on two threads.
extension Work {
  static func brackets() -> [Work] { [fusion(), fusionLikeness(), alignment()] }

  private static let size = Workshop.fullHD
  private static let threads = 2
  private static let stops = [-2.0, 0, 2]

  /// Three exposures of one picture, 8-bit RGBX, each shifted further.
  ///
  /// - Parameter step: the shift from one picture to the next, in pixels; what it uncovers repeats the edge.
  private static func exposures(_ workshop: Workshop, step: (x: Int, y: Int) = (0, 0)) throws -> [PixelBuffer]
  {
    let picture = try workshop.picture(size)
    return try stops.enumerated().map { index, stops in
      let gain = pow(2, stops / 2.2)
      let codes = (0..<256).map { UInt8(min((Double($0) * gain).rounded(), 255)) }
      let exposed = try PixelBuffer(size: size, format: .rgba8)
      for y in 0..<size.height {
        let from = picture.row(min(max(y + index * step.y, 0), size.height - 1), as: UInt8.self)
        let to = exposed.row(y, as: UInt8.self)
        for x in 0..<size.width {
          let source = 4 * min(max(x + index * step.x, 0), size.width - 1)
          for channel in 0..<3 { to[4 * x + channel] = codes[Int(from[source + channel])] }
          to[4 * x + 3] = 255
        }
      }
      return exposed
    }
  }

  /// OpenCV's work on the pictures, which it gets one above the other.
  private static func openCV(
    _ workshop: Workshop, _ kind: String, _ pictures: [PixelBuffer]
  ) throws -> LibraryRunner {
    var rows: [UInt8] = []
    for picture in pictures {
      for y in 0..<picture.height { rows += picture.row(y, as: UInt8.self) }
    }
    let file = "\(workshop.folder)/bracket-\(workshop.nextNumber()).rgba8"
    try FileContents.write(rows, to: file, overwrite: true)
    return try LibraryRunner(
      workshop, kind, source: file, size: PixelSize(width: size.width, height: size.height * pictures.count),
      ["pictures": .number(pictures.count), "threads": .number(threads)])
  }

  private static func fusion() -> Work {
    Work(
      id: "fusion", title: "Fusion of three exposures, 8-bit RGBX, 1920×1080, two threads",
      note:
        "OpenCV's MergeMertens has the same defaults. Its result is float, Safelight's 16-bit.",
      pixels: stops.count * size.pixelCount,
      contenders: [
        .ours { workshop in
          let pictures = try exposures(workshop)
          var fused: PixelBuffer?
          return FunctionRunner(result: { fused.map(Picture.init) }) {
            fused = try ExposureFusion().fuse(pictures, threads: threads)
          }
        },
        // Where pictures have no contrast, rounding decides about their shares.
        .rival(
          "opencv", "OpenCV MergeMertens", needs: .module("cv2"), tolerance: Tolerance(mean: 0.1, bias: 0.1)
        ) { try openCV($0, "opencv-fusion", exposures($0)) },
      ])
  }

  private static func fusionLikeness() -> Work {
    Work(
      id: "fusion-likeness", title: "Structural similarity of the fusion to OpenCV's MergeMertens",
      note: "Of luma, as Z. Wang and others define it (2004), over windows of 8 × 8.", quantity: .number,
      contenders: [
        .ours(needs: .module("cv2")) { workshop in
          let pictures = try exposures(workshop)
          let rival = try openCV(workshop, "opencv-fusion", pictures)
          return ValueRunner {
            _ = try rival.run()
            let fused = try ExposureFusion().fuse(pictures, threads: threads)
            guard let other = try rival.picture() else { return [] }
            return [try StructuralSimilarity.mean(Picture(fused), other)]
          }
        }
      ])
  }

  private static func alignment() -> Work {
    let step = (x: 17, y: -11)
    return Work(
      id: "alignment", title: "Shifts of three exposures, 8-bit RGBX, 1920×1080, two threads",
      note:
        "Median threshold bitmaps in both, of shifts up to 63 pixels. OpenCV's luma is made in the same run.",
      pixels: stops.count * size.pixelCount,
      contenders: [
        .ours { workshop in
          let pictures = try exposures(workshop, step: step)
          return FunctionRunner {
            let shifts = try BracketAlignment().shifts(of: pictures, threads: threads)
            // The picture in the middle is the reference.
            let expected = stops.indices.map { PictureShift(x: (1 - $0) * step.x, y: (1 - $0) * step.y) }
            guard shifts == expected else {
              throw SafelightError(.unsupported, "The shifts found are \(shifts), not \(expected)")
            }
          }
        },
        .rival("opencv", "OpenCV AlignMTB", needs: .module("cv2"), tolerance: nil) {
          try openCV($0, "opencv-alignment", exposures($0, step: step))
        },
      ])
  }
}
