import BenchmarkSupport
import Glibc
import Safelight

extension Evaluation {
  private static let size = PixelSize(width: 2048, height: 600)

  /// An edge of `step` EV under a texture of ±0.12 EV with waves of 14 pixels.
  private func edge(_ step: Double, from bright: Double) throws -> LightPicture {
    let middle = Double(Self.size.width) / 2
    return try LightPicture(Self.size) { x, _ in
      let side = 0.5 * (1 + erf((Double(x) - middle) / 2))
      let stops = bright - step * (1 - side) + 0.12 * sin(2 * .pi * Double(x) / 14)
      return SIMD3(repeating: Float(0.18 * exp2(stops)))
    }
  }

  /// The halo beside an edge in EV, and the part of the texture that is kept away from it.
  private func measure(_ filter: any Filter, _ step: Double, from bright: Double) throws -> (Double, Double) {
    let scene = try edge(step, from: bright)
    let result = try scene.edited([filter])
    let (width, y) = (Self.size.width, Self.size.height / 2)
    func stops(_ picture: LightPicture) -> [Double] {
      (0..<width).map { log2(Double(picture.pixel($0, y).y) / 0.18) }
    }
    let (before, after) = (stops(scene), stops(result))
    func smoothed(_ values: [Double]) -> [Double] {
      (0..<width).map { x in
        let window = max(0, x - 21)..<min(width, x + 21)
        return values[window].reduce(0, +) / Double(window.count)
      }
    }
    let change = smoothed(zip(after, before).map { $0 - $1 })
    let (dark, light) = (change[300], change[width - 300])
    let halo = (30..<320).map {
      max(abs(change[width / 2 - $0] - dark), abs(change[width / 2 + $0] - light))
    }.max()
    func texture(_ values: [Double]) -> Double {
      let rest = zip(values, smoothed(values)).map { $0 - $1 }[200..<600]
      return (rest.reduce(0) { $0 + $1 * $1 } / Double(rest.count)).squareRoot()
    }
    return (halo ?? 0, texture(after) / texture(before))
  }

  func reportEdges() throws {
    report.heading("Edges and texture")
    report.say(
      "Halos in EV beside edges of 1, 2 and 4 EV (bars: 0.1 for regions, 0.05 for clarity), and the part of a texture of "
        + "±0.12 EV that is kept on the dark side of an edge of 1 EV.")
    let cases: [(String, any Filter, Double)] = [
      ("shadows +100", Tone(shadows: 100), -0.5), ("shadows −100", Tone(shadows: -100), -0.5),
      ("highlights −100", Tone(highlights: -100), 1.6), ("highlights +100", Tone(highlights: 100), 1.6),
      ("clarity +100", Clarity(100), 0), ("clarity −100", Clarity(-100), 0),
      ("texture +100", Texture(100), 0), ("texture −100", Texture(-100), 0),
    ]
    report.table(
      ["filter", "1 EV", "2 EV", "4 EV", "texture"],
      try cases.map { name, filter, bright in
        let measured = try [1.0, 2, 4].map { try measure(filter, $0, from: bright) }
        return [name] + measured.map { fixed($0.0, 3) } + [fixed(measured[0].1, 2)]
      })
  }

  func reportPreviews() throws {
    guard !options.photos.isEmpty else { return }
    report.heading("Previews beside exports")
    report.say(
      "Each photo edited at full size and then made smaller by four, beside its edit planned for the small size: the mean "
        + "difference in EV beyond that of exposure alone (bar: 0.005).")
    let cases: [(String, [any Filter])] = [
      ("highlights −80, shadows +80", [Tone(highlights: -80, shadows: 80)]), ("clarity +80", [Clarity(80)]),
      ("vignette −60", [Vignette(amount: -60)]), ("sharpen 80, radius 2", [Sharpen(80, radius: 2)]),
    ]
    var rows: [[String]] = []
    for path in options.photos {
      let photo = try Photo(contentsOf: path)
      let size = photo.buffer.size
      let whole = PixelSize(width: size.width / 4 * 4, height: size.height / 4 * 4)
      let small = PixelSize(width: whole.width / 4, height: whole.height / 4)
      let picture = try LightPicture(photo: photo, left: 0, top: 0, size: whole)
      func difference(_ filters: [any Filter]) throws -> Double {
        let exported = try picture.edited(filters).edited([], size: small)
        let previewed = try picture.edited(filters, size: small)
        var sum = 0.0
        for y in 0..<small.height {
          for x in 0..<small.width {
            func light(_ picture: LightPicture) -> Double {
              let color = picture.pixel(x, y)
              let linear = (0..<3).map { ColorSpace.sRGB.transfer[0].decode(Double(color[$0])) }
              return log2(max(linear.reduce(0, +) / 3, 0) + 0.002)
            }
            sum += abs(light(exported) - light(previewed))
          }
        }
        return sum / Double(small.pixelCount)
      }
      let exposure = try difference([Exposure(stops: 0.5)])
      let name = path.split(separator: "/").last.map(String.init) ?? path
      rows.append(
        try [name, "\(whole)", fixed(exposure, 4)]
          + cases.map { fixed(max(0, try difference($0.1) - exposure), 4) })
    }
    report.table(["photo", "pixels", "exposure"] + cases.map(\.0), rows)
  }
}
