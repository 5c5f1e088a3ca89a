import FrameCore
import Testing

@Suite("Sizes of pictures")
struct PixelSizeTests {
  private static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  @Test("A picture fits into a box with its proportions kept")
  func fitted() {
    let cases = [
      (Self.size(6000, 4000), box: Self.size(1600, 1600), Self.size(1600, 1067)),
      (Self.size(4000, 6000), box: Self.size(1600, 1600), Self.size(1067, 1600)),
      (Self.size(4000, 3000), box: Self.size(800, 600), Self.size(800, 600)),
      (Self.size(1, 10_000), box: Self.size(100, 100), Self.size(1, 100)),
      // One edge alone is bounded.
      (Self.size(4000, 3000), box: Self.size(2048, .max), Self.size(2048, 1536)),
      (Self.size(3000, 4000), box: Self.size(.max, 2048), Self.size(1536, 2048)),
    ]
    for (size, box, expected) in cases { #expect(size.fitted(into: box) == expected) }
  }

  @Test("No size and no box is too large to be compared", arguments: [1, 3, 4000, Int.max - 1, .max])
  func largest(edge: Int) {
    for box in [
      PixelSize(width: .max, height: .max), PixelSize(width: .max, height: .max - 1),
      PixelSize(width: .max - 1, height: .max), PixelSize(width: 1, height: .max),
    ] {
      for size in [
        PixelSize(width: edge, height: 1), PixelSize(width: 1, height: edge),
        PixelSize(width: edge, height: edge),
      ] {
        let fitted = size.fitted(into: box)
        #expect(fitted.fits(into: box) && fitted.width >= 1 && fitted.height >= 1, "\(size) into \(box)")
      }
    }
  }
}
