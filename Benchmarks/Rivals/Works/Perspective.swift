import BenchmarkSupport
import Safelight

/// A projection, beside a turn of the same picture, on one thread.
extension Work {
  static func perspective() -> [Work] {
    let size = Workshop.ultraHD
    let filters: [any Filter] = [Keystone(vertical: 8, horizontal: -3)]
    func openCV(_ id: String, _ method: String, _ title: String) -> Contender {
      .rival(
        id, "OpenCV warpPerspective, \(title)", needs: .module("cv2"), tolerance: .resampling
      ) { workshop in
        let rendering = try Rendering(filters, on: workshop.picture(size))
        return try LibraryRunner(
          workshop, "opencv-warp", source: workshop.rawFile(size), size: size,
          [
            "method": .text(method), "map": .numbers(rendering.projectionOfCentres),
            "toWidth": .number(rendering.output.width), "toHeight": .number(rendering.output.height),
          ])
      }
    }
    let work = Work(
      id: "perspective", title: "Keystone of 8° and -3°, 8-bit RGBX, 3840×2160, one thread",
      note: """
        Safelight's kernel is a Kaiser-windowed sinc over 6×6 samples, and wider where the projection makes the picture \
        smaller. OpenCV's kernels, over 8×8 and 2×2, stay as they are, so that fine detail becomes false there. All use the \
        same map and the same output size. The turn is by 2°, with the same kernel.
        """,
      pixels: size.pixelCount,
      contenders: [
        .ours { try Rendering(filters, on: $0.picture(size)).runner() },
        .ours("turn", "safelight, a turn instead") {
          try Rendering([Straighten(2)], on: $0.picture(size)).runner()
        },
        .ours("lens", "safelight, a lens's distortion instead") {
          try Rendering(
            [Lens(LensProfile(distortion: [1.03, 0, -0.04, 0.004]))], on: $0.picture(size)
          ).runner()
        },
        openCV("opencv-lanczos4", "lanczos4", "Lanczos-4"), openCV("opencv-linear", "linear", "bilinear"),
      ])
    return [work]
  }
}
