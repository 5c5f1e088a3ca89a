/// Edits as sidecars for darktable 4.
public enum DarktableSidecar {
  /// A module, the version of its parameters, and these: a little-endian structure in hexadecimal digits.
  private struct Module {
    let name: String
    let version: Int
    let parameters: String

    init(_ name: String, version: Int, _ words: Word...) {
      (self.name, self.version) = (name, version)
      parameters = words.map(\.digits).joined()
    }
  }

  /// A number of four bytes.
  private enum Word: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    case float(Float)
    case whole(Int32)

    init(floatLiteral value: Double) { self = .float(Float(value)) }
    init(integerLiteral value: Int32) { self = .whole(value) }

    var digits: String {
      let bits =
        switch self {
        case .float(let value): value.bitPattern
        case .whole(let value): UInt32(bitPattern: value)
        }
      let swapped = String(bits.byteSwapped, radix: 16)
      return String(repeating: "0", count: 8 - swapped.count) + swapped
    }
  }

  private static let exposure = Module(
    "exposure", version: 6, 0, 0.0, 0.3, 50.0, -4.0, 0)
  private static let balance = Module("temperature", version: 3, 1.055, 1.0, 0.95, 1.0)
  private static func contrast(saturation: Float) -> Module {
    Module("colisa", version: 1, 0.1, 0.0, .float(saturation))
  }

  /// Shadows and highlights by a guided filter, local contrast, a vignette, grain and sharpening.
  private static let places = [
    // Eight gains by light, the mask's blending, smoothing, feathering, quantization and boosts; a guided filter.
    Module(
      "toneequal", version: 2, 0.0, 0.6, 0.6, 0.5, 0.4, 0.1, -0.3, -0.5, -0.5, 5.0, 1.4142135, 1.0, 0.0, 0.0,
      0.0, 4, 3, 1),
    // By a local Laplacian filter.
    Module("bilat", version: 3, 1, 0.5, 0.5, 0.2, 0.5),
    Module("vignette", version: 4, 80.0, 50.0, -0.5, 0.0, 0.0, 0.0, 0, 1.0, 1.0, 0, 0),
    Module("grain", version: 2, 2, 7.5, 25.0, 100.0),
    Module("sharpen", version: 1, 2.0, 0.5, 0.5),
  ]
  /// Non-local means.
  private static let denoising = Module("nlmeans", version: 2, 2.0, 50.0, 0.5, 1.0)

  /// Exposure, white balance and contrast.
  public static let text = text([exposure, balance, contrast(saturation: 0)])

  /// The same and saturation, and what looks at the surroundings or at the place of pixels.
  ///
  /// - Parameter denoises: whether it reduces noise too.
  public static func localTone(denoises: Bool) -> String {
    text([exposure, balance, contrast(saturation: 0.15)] + places + (denoises ? [denoising] : []))
  }

  private static func text(_ modules: [Module]) -> String {
    let history = modules.enumerated().map { number, module in
      """
           <rdf:li darktable:num="\(number)" darktable:operation="\(module.name)" darktable:enabled="1"
            darktable:modversion="\(module.version)" darktable:params="\(module.parameters)"
            darktable:multi_name="" darktable:multi_priority="0"/>

      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
          xmlns:darktable="http://darktable.sf.net/"
         darktable:xmp_version="4"
         darktable:raw_params="0"
         darktable:auto_presets_applied="1"
         darktable:history_end="\(modules.count)"
         darktable:iop_order_version="2">
         <darktable:history>
          <rdf:Seq>
      \(history.joined())    </rdf:Seq>
         </darktable:history>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>

      """
  }
}
