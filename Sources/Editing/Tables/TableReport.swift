import ColorScience
import FilterGraph
import FrameCore

/// A table that was written, and how far it is from the recipe; `safelight recipe to-lut --json` prints it.
public struct TableReport: JSONReport {
  /// How far a table is from the recipe between its nodes, at 60,000 colours, clipped to 0…1 as a program stores them.
  public struct Error: Codable, Sendable, Hashable {
    /// The largest difference of a channel, 1.0 being white.
    public var maximum: Double
    /// The mean over colours of the largest difference of their channels.
    public var mean: Double
    /// The largest ΔE2000; nil where the table gives a log encoding.
    public var maximumDeltaE: Double?
    /// The mean ΔE2000; nil where the table gives a log encoding.
    public var meanDeltaE: Double?
  }

  /// The file's path.
  public var file: String
  public var format: TableExport.Format
  /// The nodes per edge; nil for lists of the ASC.
  public var size: Int?
  /// The encoding that the table expects.
  public var input: String
  /// The encoding that the table gives.
  public var output: String
  /// The ids of filters that the table does not have.
  public var leftOut: [String]
  /// Where a program interpolates within tetrahedra, as FFmpeg, Resolve and Safelight can; nil for lists of the ASC, which
  /// are exact.
  public var tetrahedral: Error?
  /// Where a program interpolates linearly along each axis, as OBS and most cameras do.
  public var trilinear: Error?
}

extension TableReport.Error {
  /// Compares a table with the recipe.
  init(
    _ colors: RecipeColors, _ output: SampleEncoding, _ table: (SIMD3<Double>) -> SIMD3<Double>
  ) {
    let probes = SampledLattice.probeColors(TableExport.probes)
    let space: ColorSpace? = if case .space(let space) = output { space } else { nil }
    var (maximum, mean, maximumDeltaE, meanDeltaE) = (0.0, 0.0, 0.0, 0.0)
    for probe in probes {
      let exact = colors.evaluate(probe).clamped(lowerBound: .zero, upperBound: .one)
      let found = table(probe).clamped(lowerBound: .zero, upperBound: .one)
      let difference = exact - found
      let largest = Swift.max(abs(difference.x), abs(difference.y), abs(difference.z))
      maximum = Swift.max(maximum, largest)
      mean += largest
      guard let space else { continue }
      let deltaE = deltaE2000(Self.lab(exact, space), Self.lab(found, space))
      maximumDeltaE = Swift.max(maximumDeltaE, deltaE)
      meanDeltaE += deltaE
    }
    let count = Double(probes.count)
    self.init(
      maximum: maximum, mean: mean / count, maximumDeltaE: space == nil ? nil : maximumDeltaE,
      meanDeltaE: space == nil ? nil : meanDeltaE / count)
  }

  private static func lab(_ color: SIMD3<Double>, _ space: ColorSpace) -> SIMD3<Double> {
    CIELab.fromXYZ(space.toXYZ * space.decode(color), white: space.primaries.white)
  }

  /// `ΔE2000 max 0.43 mean 0.017, code values max 0.0021`
  public var text: String {
    let codes = "code values max \(PlainNumber.fixed(maximum, 5)) mean \(PlainNumber.fixed(mean, 6))"
    guard let maximumDeltaE, let meanDeltaE else { return codes }
    return
      "ΔE2000 max \(PlainNumber.fixed(maximumDeltaE, 2)) mean \(PlainNumber.fixed(meanDeltaE, 3)), \(codes)"
  }
}
