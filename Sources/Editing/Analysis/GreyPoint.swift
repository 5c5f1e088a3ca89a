import ColorScience
import FilterGraph
import Filters
import FrameCore
import Libc
import Rendering

/// The white balance that makes a place of a photo grey: what an eyedropper finds.
public struct GreyPoint: Sendable {
  /// Nil if no balance makes the place grey.
  public let whiteBalance: WhiteBalance?
  /// What was found, or why nothing was, without a full stop.
  public let summary: String

  /// The pixels of the sample whose mean is the colour of a place, on each side of it.
  private static let reach = 2
  /// OKLab's chroma at lightness 0.6 that is taken for grey.
  private static let grey = 0.008

  /// - Parameters:
  ///   - place: 0…1 of the photo's width and height, as displayed, without any edit.
  ///   - sample: as for all automatic values; its colours are those that a white balance acts on, unless a recipe
  ///     decodes log footage first.
  /// - Throws: `SafelightError` if its colour profile is unusable.
  public init(at place: SIMD2<Double>, in sample: PhotoSample) throws {
    let color = try Self.color(at: place, in: sample)
    guard color.highest < 0.98 else {
      (whiteBalance, summary) = (
        nil, "too bright there to tell its colour: choose a grey that is not blown out"
      )
      return
    }
    guard color.linear.max() > 0.003 else {
      (whiteBalance, summary) = (nil, "too dark there to tell its colour: choose a lighter grey")
      return
    }
    let search = BalanceSearch(mireds: 40...500, tints: -100...100, kelvinStep: 10)
    let (found, miss) = search.balance(from: color.linear, to: .zero)
    guard miss < Self.grey else {
      (whiteBalance, summary) = (
        nil, "no light makes that colour grey: choose something that is grey or white"
      )
      return
    }
    whiteBalance = found
    let sign = found.tint > 0 ? "+" : ""
    let tint = found.tint == 0 ? "" : ", tint \(sign)\(PlainNumber.text(Double(found.tint)))"
    summary = "grey there at \(PlainNumber.text(Double(found.temperature))) K\(tint)"
  }

  /// Returns the mean colour about a place as linear RGB of the working space, and its highest encoded channel.
  private static func color(
    at place: SIMD2<Double>, in sample: PhotoSample
  ) throws -> (linear: SIMD3<Double>, highest: Double) {
    let size = sample.orientation.applied(to: sample.buffer.size)
    func span(_ at: Double, _ count: Int) -> (first: Int, count: Int) {
      let middle = Int((min(max(at, 0), 1) * Double(count)).rounded(.down))
      let first = max(0, min(middle, count - 1) - reach)
      return (first, min(count, first + 2 * reach + 1) - first)
    }
    let (columns, rows) = (span(place.x, size.width), span(place.y, size.height))
    let spot = Crop(
      .rectangle(x: columns.first, y: rows.first, width: columns.count, height: rows.count))
    let renderer = CPURenderer(threads: 1)
    let input = try PlanInput(sample.buffer, orientation: sample.orientation)
    func mean(_ space: ColorSpace) throws -> SIMD3<Double> {
      let output = PlanOutput(format: .rgbaF32, space: space)
      let picture = try renderer.render(
        sample.buffer, through: renderer.plan(Recipe(filters: [spot]), input: input, output: output))
      var sum = SIMD3<Double>.zero
      for y in 0..<picture.height {
        let row = picture.row(y, as: Float.self)
        for x in 0..<picture.width {
          sum += SIMD3(Double(row[4 * x]), Double(row[4 * x + 1]), Double(row[4 * x + 2]))
        }
      }
      return sum / Double(picture.size.pixelCount)
    }
    let own = try ColorSpace(tags: sample.buffer.tags)
    return (try mean(PlanBuilder.workingSpace), try mean(own).max())
  }
}
