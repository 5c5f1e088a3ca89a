import FilterGraph
import Filters

extension AdobeImport {
  /// Consumes settings one by one; those left over are unused.
  struct Draft {
    let settings: AdobeSettings
    var approximated: [Setting] = []
    private var used: Set<String> = []
    private var reasons: [String: String] = [:]

    init(_ settings: AdobeSettings) { self.settings = settings }

    /// Returns the value of a setting that is used as it is; nil if it is neutral.
    mutating func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
      used.insert(name)
      guard let number = try settings.number(name, in: range), number != 0 else { return nil }
      return number
    }

    /// Returns a value in -100…100 that is used with Safelight's own curve.
    mutating func amount(_ name: String) throws -> Float {
      guard let number = try number(name, in: -100...100) else { return 0 }
      note(name)
      return Float(number)
    }

    mutating func use(_ name: String) { used.insert(name) }

    /// Leaves a setting unused, and says why.
    mutating func leave(_ name: String, _ reason: String) { reasons[name] = reason }

    mutating func note(_ name: String) {
      approximated.append(Setting(name: name, value: settings.text(name) ?? ""))
    }

    mutating func whiteBalance(asShot: AsShotWhiteBalance?) throws -> [any Filter] {
      if let asShot, let filter = try absoluteWhiteBalance(asShot) {
        return filter.temperature == 6500 && filter.tint == 0 ? [] : [filter]
      }
      let temperature = try amount("IncrementalTemperature")
      let tint = try amount("IncrementalTint")
      guard temperature != 0 || tint != 0 else { return [] }
      let kelvin = relativeTemperature(Double(temperature))
      return [WhiteBalance(temperature: Float((kelvin / 10).rounded() * 10), tint: tint)]
    }

    /// Returns nil if the photo is as shot, or if the shift exceeds the filter's range; it then remains unused.
    private mutating func absoluteWhiteBalance(_ asShot: AsShotWhiteBalance) throws -> WhiteBalance? {
      guard !AdobeNeutral.isNeutral("Temperature", in: settings),
        let kelvin = try settings.number("Temperature", in: 2000...50_000)
      else { return nil }
      let shifted = AdobeImport.shiftedTemperature(kelvin, asShot: asShot.kelvin)
      let tint = try (settings.number("Tint", in: -150...150) ?? 0) - asShot.tint
      guard WhiteBalance.temperatures.contains(shifted), (-100...100).contains(tint) else { return nil }
      used.formUnion(["Temperature", "Tint"])
      note("Temperature")
      if tint != 0 { note("Tint") }
      return WhiteBalance(temperature: Float((shifted / 10).rounded() * 10), tint: Float(tint))
    }

    /// As for a vignette, the details are reported with their amounts.
    mutating func noiseReduction() throws -> [any Filter] {
      let (luminance, color) = (try amount("LuminanceSmoothing"), try amount("ColorNoiseReduction"))
      guard luminance > 0 || color > 0 else { return [] }
      func detail(_ name: String) throws -> Float { Float(try settings.number(name, in: 0...100) ?? 50) }
      return [
        NoiseReduction(
          luminance: max(luminance, 0), luminanceDetail: try detail("LuminanceNoiseReductionDetail"),
          color: max(color, 0), colorDetail: try detail("ColorNoiseReductionDetail"))
      ]
    }

    /// The names that shape a vignette are reported with its amount.
    mutating func vignette() throws -> [any Filter] {
      let amount = try amount("PostCropVignetteAmount")
      guard amount != 0 else { return [] }
      func detail(_ name: String, _ range: ClosedRange<Double>, _ usual: Double) throws -> Float {
        Float(try settings.number("PostCropVignette" + name, in: range) ?? usual)
      }
      return [
        Vignette(
          amount: amount, midpoint: try detail("Midpoint", 0...100, 50),
          feather: try detail("Feather", 0...100, 50), roundness: try detail("Roundness", -100...100, 0))
      ]
    }

    /// The names that shape grain are reported with its amount. Roughness is called frequency there.
    mutating func grain() throws -> [any Filter] {
      guard let amount = try number("GrainAmount", in: 0...100) else { return [] }
      note("GrainAmount")
      return [
        Grain(
          Float(amount), size: Float(try settings.number("GrainSize", in: 0...100) ?? 25),
          roughness: Float(try settings.number("GrainFrequency", in: 0...100) ?? 50))
      ]
    }

    /// The names that shape sharpening are reported with its amount.
    mutating func sharpening() throws -> [any Filter] {
      guard let amount = try number("Sharpness", in: 0...150) else { return [] }
      note("Sharpness")
      func detail(_ name: String, _ range: ClosedRange<Double>, _ usual: Double) throws -> Float {
        Float(try settings.number("Sharpen" + name, in: range) ?? usual)
      }
      return [
        Sharpen(
          Float(amount), radius: try detail("Radius", 0.5...3, 1), detail: try detail("Detail", 0...100, 25),
          masking: try detail("EdgeMasking", 0...100, 0))
      ]
    }

    /// Returns the remaining settings that would change the picture, by name.
    func unused() -> [Setting] {
      settings.values.keys.sorted().compactMap { name in
        guard !used.contains(name), !AdobeNeutral.isNeutral(name, in: settings) else { return nil }
        let value: String =
          switch settings.values[name] {
          case .text(let text)?: String(text.prefix(60))
          case .structure(let fields)?: String((fields["Name"] ?? "").prefix(60))
          default: ""
          }
        return Setting(name: name, value: value, reason: reasons[name] ?? AdobeNeutral.reason(name))
      }
    }
  }
}
