import FrameCore
import Testing

@testable import FrameAnalysis

@Suite("Sharpness at 100 %")
struct EdgeSharpnessTests {
  /// Luma of a made picture, 0…255, as cameras see things: discs that lie over each other ("dead leaves": A. B. Lee and
  /// others, 2001), with the blur of a good lens.
  private struct Scene {
    var luma: [Float]
    var width: Int
    var height: Int

    init(_ width: Int = 480, _ height: Int = 360, seed: UInt64 = 1) {
      (self.width, self.height) = (width, height)
      luma = [Float](repeating: 128, count: width * height)
      var state = seed
      func random(_ range: ClosedRange<Int>) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + Int(state >> 33) % range.count
      }
      for _ in 0..<400 {
        let (x, y, radius) = (random(0...width), random(0...height), random(4...40))
        let level = Float(random(30...220))
        for row in max(0, y - radius)..<min(height, y + radius) {
          for column in max(0, x - radius)..<min(width, x + radius)
          where (column - x) * (column - x) + (row - y) * (row - y) < radius * radius {
            luma[row * width + column] = level
          }
        }
      }
      self = moved(2, dx: 1, dy: 0).moved(2, dx: 0, dy: 1)
    }

    /// The mean of `length` samples along a direction.
    func moved(_ length: Int, dx: Int, dy: Int) -> Scene {
      var moved = self
      for y in 0..<height {
        for x in 0..<width {
          var sum: Float = 0
          for step in 0..<length {
            let column = min(max(x + (step - length / 2) * dx, 0), width - 1)
            let row = min(max(y + (step - length / 2) * dy, 0), height - 1)
            sum += luma[row * width + column]
          }
          moved.luma[y * width + x] = sum / Float(length)
        }
      }
      return moved
    }

    /// About a Gaussian: boxes of `radius` both ways, twice.
    func blurred(_ radius: Int) -> Scene {
      let length = 2 * radius + 1
      return moved(length, dx: 1, dy: 0).moved(length, dx: 0, dy: 1)
    }

    func with(_ other: Scene, where isOther: (Int, Int) -> Bool) -> Scene {
      var both = self
      for y in 0..<height {
        for x in 0..<width where isOther(x, y) { both.luma[y * width + x] = other.luma[y * width + x] }
      }
      return both
    }

    func noisy(_ deviation: Float) -> Scene {
      var state: UInt64 = 7
      var noisy = self
      for index in luma.indices {
        var sum: Float = -6
        for _ in 0..<12 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          sum += Float(state >> 40) / Float(1 << 24)
        }
        noisy.luma[index] += deviation * sum
      }
      return noisy
    }

    func scaled(_ gain: Float, _ offset: Float) -> Scene {
      var scaled = self
      for index in luma.indices { scaled.luma[index] = luma[index] * gain + offset }
      return scaled
    }

    func edgeWidth(threads: Int = 1) throws -> Double? {
      let size = PixelSize(width: width, height: height)
      let buffer = try PixelBuffer(size: size, format: .rgba8)
      for y in 0..<height {
        let row = buffer.row(y, as: UInt8.self)
        for x in 0..<width {
          let level = UInt8(min(max(luma[y * width + x] + 0.5, 0), 255))
          for channel in 0..<3 { row[4 * x + channel] = level }
        }
      }
      let meter = EdgeSharpnessMeter(size: size, isLinear: false)
      meter.add(height, of: buffer)
      return try meter.measure(threads: threads).edgeWidth
    }
  }

  /// What a photo must stay below to count as sharp; `PhotoVerdict.sharpEdge` of the façade.
  private let sharp = 2.75

  @Test("More blur has wider edges, of lenses as of motion in any direction")
  func order() throws {
    let scene = Scene()
    let widths = try [scene, scene.blurred(1), scene.blurred(2), scene.blurred(4)].map {
      try #require(try $0.edgeWidth())
    }
    #expect(
      widths[0] < sharp && widths == widths.sorted() && widths[2] > sharp && widths[3] > 2 * sharp,
      "\(widths)")
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
      let moved = try [3, 7, 15].map { try #require(try scene.moved($0, dx: dx, dy: dy).edgeWidth()) }
      #expect(moved == moved.sorted() && moved[1] > sharp && moved[2] > 1.5 * sharp, "\(dx), \(dy): \(moved)")
    }
  }

  @Test("A sharp subject before a soft background is sharp")
  func shallowFocus() throws {
    let scene = Scene()
    let portrait = scene.blurred(4).with(scene) { x, y in (160..<290).contains(x) && (100..<230).contains(y) }
    #expect(try #require(try portrait.edgeWidth()) < sharp)
  }

  @Test("Contrast and brightness do not matter, nor the number of threads")
  func invariance() throws {
    let scene = Scene().blurred(1)
    let width = try #require(try scene.edgeWidth())
    let dim = try #require(try scene.scaled(0.4, 10).edgeWidth())
    #expect(abs(dim - width) < 0.15 * width, "\(dim), \(width)")
    #expect(try scene.edgeWidth(threads: 4) == width)
  }

  @Test("Noise makes no blurred photo sharp, and no sharp one blurred", arguments: [Float(4), 8])
  func noise(deviation: Float) throws {
    let scene = Scene()
    #expect(try #require(try scene.noisy(deviation).edgeWidth()) < sharp)
    #expect(try #require(try scene.moved(11, dx: 1, dy: 0).noisy(deviation).edgeWidth()) > sharp)
  }

  @Test("Where there are no edges, nothing is told")
  func noEdges() throws {
    var flat = Scene(64, 48)
    for index in flat.luma.indices { flat.luma[index] = 120 }
    #expect(try flat.edgeWidth() == nil)
    #expect(try flat.noisy(6).edgeWidth() == nil)
    #expect(try Scene(8, 8).edgeWidth() == nil)
  }
}
