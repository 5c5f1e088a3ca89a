import ColorScience
import FilterGraph
import FrameCore

/// Applies a colour look-up table from a `.cube` file.
///
///     out = in + strength · (table(in) - in)        in the encoding that the table expects
public struct LUT: Filter {
  public static let id: FilterID = "lut"
  public static let title = "LUT"
  public static let phase = FilterPhase.look
  public static let summary = "Applies a 1D or 3D table from a .cube file"
  package static let fileExtension = "cube"
  public static let parameters = [
    Parameter(
      file: \LUT.file, "file", title: "Table", extensions: [fileExtension], flag: "lut",
      "Look-up table to apply"),
    Parameter(
      \LUT.strength, "strength", in: 0...100, step: 1, neutral: 100, unit: .percent, flag: nil,
      "How far to go from the picture's colours to the table's"),
    Parameter(
      choice: \LUT.encoding, "encoding", neutral: Encoding.sRGB, flag: "lut-encoding",
      "Encoding of the samples that the table expects"),
  ]

  /// The encodings that tables are made for.
  ///
  /// Video is display-referred here: its samples are treated as sRGB-encoded on the video's primaries, and the
  /// OETF of BT.709 is not used. So a Rec. 709 table receives the unchanged samples of Rec. 709 video, as from
  /// FFmpeg's `lut3d`, and the sRGB samples of a photo.
  public enum Encoding: String, ParameterChoice {
    case sRGB = "srgb"
    /// Display-referred SDR video with BT.709 primaries. The same samples as `sRGB`, under the name that tables
    /// from grading programs carry; also for tables made on a BT.1886 (gamma 2.4) monitor.
    case rec709 = "rec709"
    case displayP3 = "display-p3"
    case adobeRGB = "adobe-rgb"
    /// Display-referred SDR video with BT.2020 primaries.
    case rec2020 = "rec2020"
    /// Linear light on sRGB primaries.
    case linear = "linear"

    public var title: String {
      switch self {
      case .sRGB: "sRGB"
      case .rec709: "Rec. 709"
      case .displayP3: "Display P3"
      case .adobeRGB: "Adobe RGB"
      case .rec2020: "Rec. 2020"
      case .linear: "Linear"
      }
    }

    var space: ColorSpace {
      switch self {
      case .sRGB: .sRGB
      case .rec709: .rec709Video
      case .displayP3: .displayP3
      case .adobeRGB: .adobeRGB
      case .rec2020: .rec2020Video
      case .linear: .linearSRGB
      }
    }
  }

  /// The file's path as given in the recipe.
  public var file: String
  /// 0…100: 0 leaves the picture unchanged, 100 is the table's output.
  public var strength: Float
  public var encoding: Encoding
  /// The table; nil until loaded.
  public private(set) var table: ColorLUT?

  public init() { self.init(file: "", table: nil) }

  /// Creates a filter from a table in memory; `name` stands for it in plans and errors.
  public init(_ table: ColorLUT, name: String, strength: Float = 100, encoding: Encoding = .sRGB) {
    self.init(file: name, table: table, strength: strength, encoding: encoding)
  }

  private init(file: String, table: ColorLUT?, strength: Float = 100, encoding: Encoding = .sRGB) {
    self.file = file
    self.table = table
    self.strength = strength
    self.encoding = encoding
  }

  public mutating func loadFiles(from files: FilterFiles) throws {
    guard !file.isEmpty else {
      throw SafelightError(.invalidValue, "A lut filter has no file", remedy: "give \"file\": \"name.cube\"")
    }
    guard file.lowercased().hasSuffix("." + Self.fileExtension) else {
      throw SafelightError(
        .unsupported, "\(file) is not a .\(Self.fileExtension) file",
        remedy: "convert the table to .\(Self.fileExtension), the format that is read")
    }
    table = try files.table(file)
  }

  /// The samples and domains of the table.
  public var fileContents: [UInt8]? {
    guard let table else { return nil }
    var bytes: [UInt8] = []
    func append(_ values: [SIMD3<Float>]) {
      // Component by component: a SIMD3 has a fourth, undefined lane in memory.
      var numbers: [Float] = []
      numbers.reserveCapacity(3 * values.count)
      for value in values {
        numbers.append(value.x)
        numbers.append(value.y)
        numbers.append(value.z)
      }
      numbers.withUnsafeBytes { bytes += $0 }
    }
    if let shaper = table.shaper { append([shaper.domainMin, shaper.domainMax] + shaper.samples) }
    // Distinguishes a table of curves from one of colours.
    bytes.append(table.cube == nil ? 0 : 1)
    if let cube = table.cube { append([cube.domainMin, cube.domainMax] + cube.nodes) }
    return bytes
  }

  /// Scales the table's own strength, whose default, 100, is the whole effect and not neutral.
  public func scaled(by strength: Double) -> LUT {
    var scaled = self
    scaled.strength = Float(Double(self.strength) * strength)
    return scaled
  }

  public func lower(into plan: inout PlanBuilder) throws {
    guard !file.isEmpty || table != nil else { return }
    guard let table else {
      throw SafelightError(.invalidValue, "The table \(file) is not loaded", remedy: "call loadFiles first")
    }
    guard strength != 0 else { return }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    plan.lut(table, encoding: encoding.space, strength: Double(strength) / 100, name: name)
  }
}
