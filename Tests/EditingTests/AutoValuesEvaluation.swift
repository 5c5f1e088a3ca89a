import LibraryTestSupport
import Safelight
import FoundationEssentials
import TestSupport
import Testing

@testable import Editing
import Libc

/// The folder of photos that SAFELIGHT_PHOTOS names, for measurements that need many.
private let photoFolder = ProcessInfo.processInfo.environment["SAFELIGHT_PHOTOS"]

/// Automatic white balance beside the field's plain methods, on photos with casts that are known, and automatic exposure
/// of photos that are exposed wrong.
///
/// For white balance, the photos count as neutral, which some are not: their own casts are part of every method's error.
@Suite(
  "Automatic values of photos",
  .enabled(if: photoFolder != nil, "set SAFELIGHT_PHOTOS to a folder of JPEG files, such as BSDS500's"))
struct AutoValuesEvaluation {
  typealias Estimator = (LinearColors) -> SIMD3<Double>

  /// The light as linear Rec. 2020 by a Minkowski mean of values or of differences.
  static func mean(_ values: [SIMD3<Float>], power: Double) -> SIMD3<Double> {
    guard values.count > 50 else { return SIMD3(1, 1, 1) }
    var sum = SIMD3<Double>()
    for value in values {
      for c in 0..<3 { sum[c] += pow(max(Double(value[c]), 0), power) }
    }
    return SIMD3(
      pow(sum.x / Double(values.count), 1 / power), pow(sum.y / Double(values.count), 1 / power),
      pow(sum.z / Double(values.count), 1 / power))
  }

  static func whole(_ colors: LinearColors) -> [SIMD3<Float>] {
    zip(colors.rgb, colors.isWhole).compactMap { $1 ? $0 : nil }
  }

  static func edges(_ colors: LinearColors) -> [SIMD3<Float>] {
    let (width, height) = (colors.size.width, colors.size.height)
    var found: [SIMD3<Float>] = []
    for y in 0..<height - 1 {
      for x in 0..<width - 1 {
        let i = y * width + x
        guard colors.isWhole[i], colors.isWhole[i + 1], colors.isWhole[i + width] else { continue }
        let (across, down) = (colors.rgb[i + 1] - colors.rgb[i], colors.rgb[i + width] - colors.rgb[i])
        found.append((across * across + down * down).squareRoot())
      }
    }
    return found
  }

  static func whitePatch(_ colors: LinearColors) -> SIMD3<Double> {
    let values = whole(colors)
    guard values.count > 50 else { return SIMD3(1, 1, 1) }
    var top = SIMD3<Double>()
    for c in 0..<3 { top[c] = Double(values.map { $0[c] }.sorted()[values.count * 99 / 100]) }
    return top
  }

  /// What the estimated light leaves of a cast: von Kries with the light in the adaptation's cones.
  static func remaining(_ cast: Matrix3x3, light: SIMD3<Double>) -> Double {
    let toCones = ChromaticAdaptation.cat16.coneResponse * ColorSpace.linearRec2020.toXYZ
    let seen = toCones * (cast * SIMD3(1, 1, 1))
    let corrected = seen / (toCones * light) * (toCones * SIMD3(1, 1, 1))
    return AutoValuesTests.angle(toCones.inverse * corrected)
  }

  @Test(
    "Most of the casts is removed, and more than by grey world, shades of grey, white patch and grey edge")
  func casts() throws {
    let folder = try #require(photoFolder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }
      .sorted().prefix(120)
    try #require(names.count >= 100)
    let plain: [(String, Estimator)] = [
      ("as it is", { _ in SIMD3(1, 1, 1) }),
      ("grey world", { Self.mean(Self.whole($0), power: 1) }),
      ("shades of grey, p = 6", { Self.mean(Self.whole($0), power: 6) }),
      ("white patch, 99 %", Self.whitePatch),
      ("grey edge, p = 1", { Self.mean(Self.edges($0), power: 1) }),
      ("grey edge, p = 6", { Self.mean(Self.edges($0), power: 6) }),
    ]
    var without: [String: [Double]] = [:]
    var with: [String: [Double]] = [:]
    // Against what is found without the cast: what the photo's own colours do to both cancels.
    var apart: [Double] = []
    for (index, name) in names.enumerated() {
      var random = SeededRandom(seed: UInt64(index))
      func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
      // Along the locus as far as 10,000 K can undo it, every other one beside it too.
      let cast = WhiteBalance(
        temperature: Float(1e6 / (1e6 / 6500 + uniform(-50...46))),
        tint: index % 2 == 0 ? 0 : Float(uniform(-25...25)))
      let photo = try Photo(contentsOf: folder + "/" + name)
      let renderer = CPURenderer()
      let plan = try renderer.plan(
        Recipe(filters: [cast]), input: PlanInput(size: photo.buffer.size), output: PlanOutput())
      var own = Matrix3x3.identity
      for (buffer, matrix) in [
        (photo.buffer, Matrix3x3.identity), (try renderer.render(photo.buffer, through: plan), cast.matrix),
      ] {
        let proxy = AnalysisProxy()
        try proxy.update(from: buffer)
        let colors = try LinearColors(proxy, of: buffer)
        var errors: [(String, Double)] = plain.map { ($0.0, Self.remaining(matrix, light: $0.1(colors))) }
        let found = AutoValuesTests.balance(AutoValues(colors, finding: [.whiteBalance]) { $0 })
        if buffer === photo.buffer {
          own = found.matrix
        } else {
          apart.append(AutoValuesTests.angle(found.matrix * (matrix * (own.inverse * SIMD3(1, 1, 1)))))
        }
        errors.append(("automatic", AutoValuesTests.angle(found.matrix * (matrix * SIMD3(1, 1, 1)))))
        for (method, error) in errors {
          if buffer === photo.buffer {
            without[method, default: []].append(error)
          } else {
            with[method, default: []].append(error)
          }
        }
      }
    }
    func row(_ errors: [Double]) -> String {
      let sorted = errors.sorted()
      return [
        sorted[sorted.count / 2], errors.reduce(0, +) / Double(errors.count), sorted[sorted.count * 9 / 10],
      ]
      .map { PlainNumber.fixed($0, 1) }.joined(separator: "  ")
    }
    print("angular error, degrees: median, mean, 90th percentile over \(names.count) photos")
    for method in plain.map(\.0) + ["automatic"] {
      print("\(method): as they are \(row(without[method] ?? []))   with casts \(row(with[method] ?? []))")
    }
    print("automatic, with casts against without: \(row(apart))")
    func median(_ errors: [Double]?) -> Double { (errors ?? []).sorted()[names.count / 2] }
    #expect(median(apart) < 0.4 * median(with["as it is"]))
    let automatic = median(with["automatic"])
    for (method, _) in plain.dropFirst() { #expect(automatic < median(with[method]), "\(method)") }
  }

  @Test("Photos rendered at -2…2 EV come back near one another")
  func brackets() throws {
    let folder = try #require(photoFolder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jpg") }
      .sorted().prefix(100)
    let renderer = CPURenderer()
    var keysBefore: [Double] = []
    var keysAfter: [Double] = []
    for name in names {
      let photo = try Photo(contentsOf: folder + "/" + name)
      let keys = try [-2, -1, 0, 1, 2].map { (stops: Float) -> (Double, Double) in
        let plan = try renderer.plan(
          Recipe(filters: [Exposure(stops: stops)]), input: PlanInput(size: photo.buffer.size),
          output: PlanOutput())
        let buffer = try renderer.render(photo.buffer, through: plan)
        let proxy = AnalysisProxy()
        try proxy.update(from: buffer)
        let light = LightDistribution(try LinearColors(proxy, of: buffer))
        return (light.key, light.key + (ExposureEstimate(light)?.stops ?? 0))
      }
      func range(_ keys: [Double]) -> Double { (keys.max() ?? 0) - (keys.min() ?? 0) }
      keysBefore.append(range(keys.map(\.0)))
      keysAfter.append(range(keys.map(\.1)))
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    print("brackets of five: \(mean(keysBefore)) EV apart on average before, \(mean(keysAfter)) after")
    #expect(mean(keysAfter) < 0.5 * mean(keysBefore))
  }
}
