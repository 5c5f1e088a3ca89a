import ColorScience
import FilterGraph
import FrameCore

extension LUT {
  /// The encodings that tables and grades are made for.
  ///
  /// Video is display-referred here: its samples are treated as sRGB-encoded on the video's primaries, and the
  /// OETF of BT.709 is not used. So a Rec. 709 table receives the unchanged samples of Rec. 709 video, as from
  /// FFmpeg's `lut3d`, and the sRGB samples of a photo.
  public enum Encoding: Sendable, Hashable, ParameterChoice {
    case sRGB
    /// Display-referred SDR video with BT.709 primaries. The same samples as `sRGB`, under the name that tables
    /// from grading programs carry; also for tables made on a BT.1886 (gamma 2.4) monitor.
    case rec709
    case displayP3
    case adobeRGB
    /// Display-referred SDR video with BT.2020 primaries.
    case rec2020
    /// Linear light on sRGB primaries.
    case linear
    /// A camera's log encoding; white that is shown counts as 100 % reflectance.
    case log(LogEncoding)

    public static let allCases: [Encoding] =
      [.sRGB, .rec709, .displayP3, .adobeRGB, .rec2020, .linear] + LogEncoding.allCases.map(Encoding.log)

    public var parameterText: String {
      switch self {
      case .sRGB: "srgb"
      case .rec709: "rec709"
      case .displayP3: "display-p3"
      case .adobeRGB: "adobe-rgb"
      case .rec2020: "rec2020"
      case .linear: "linear"
      case .log(let log): log.rawValue
      }
    }

    public var title: String {
      switch self {
      case .sRGB: "sRGB"
      case .rec709: "Rec. 709"
      case .displayP3: "Display P3"
      case .adobeRGB: "Adobe RGB"
      case .rec2020: "Rec. 2020"
      case .linear: "Linear"
      case .log(let log): log.title
      }
    }

    public var otherNames: [String] {
      switch self {
      case .sRGB, .rec709, .displayP3, .adobeRGB, .rec2020, .linear: []
      case .log(let log): log.otherNames
      }
    }

    public static var hint: String? { LogEncoding.hint }

    /// What samples in it mean.
    public var samples: SampleEncoding {
      switch self {
      case .sRGB: .space(.sRGB)
      case .rec709: .space(.rec709Video)
      case .displayP3: .space(.displayP3)
      case .adobeRGB: .space(.adobeRGB)
      case .rec2020: .space(.rec2020Video)
      case .linear: .space(.linearSRGB)
      case .log(let log): .log(log)
      }
    }
  }

  /// The encoding of what a table gives.
  public enum Output: Sendable, Hashable, ParameterChoice {
    /// Rec. 709 behind a log encoding, as camera makers' tables give it; else the one that the table expects.
    case automatic
    case encoding(Encoding)

    public static let allCases: [Output] = [.automatic] + Encoding.allCases.map(Output.encoding)

    public var parameterText: String {
      switch self {
      case .automatic: "auto"
      case .encoding(let encoding): encoding.parameterText
      }
    }

    public var title: String {
      switch self {
      case .automatic: "Automatic"
      case .encoding(let encoding): encoding.title
      }
    }

    public var otherNames: [String] {
      switch self {
      case .automatic: []
      case .encoding(let encoding): encoding.otherNames
      }
    }

    public static var hint: String? { Encoding.hint }

    /// The encoding of what a table gives that expects `input`.
    public func encoding(after input: Encoding) -> Encoding {
      switch (self, input) {
      case (.encoding(let encoding), _): encoding
      case (.automatic, .log): .rec709
      case (.automatic, .sRGB), (.automatic, .rec709), (.automatic, .displayP3), (.automatic, .adobeRGB),
        (.automatic, .rec2020), (.automatic, .linear):
        input
      }
    }
  }
}
