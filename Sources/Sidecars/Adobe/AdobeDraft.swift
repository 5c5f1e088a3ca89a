import FilterGraph
import Filters

extension AdobeImport {
  /// Consumes settings one by one and says what became of each; those left over are ignored.
  struct Draft {
    let settings: AdobeSettings
    private(set) var report = ImportedSettings()
    private var used: Set<String> = []
    private var reasons: [String: String] = [:]

    init(_ settings: AdobeSettings) { self.settings = settings }

    // MARK: Taking settings

    /// Returns the value of a setting that means the same here; nil if it is neutral.
    mutating func exactly(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
      guard let number = try number(name, in: range) else { return nil }
      noteExact(name)
      return number
    }

    /// Returns the value of a setting that is used with Safelight's own curve; nil if it is neutral.
    mutating func approximately(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
      guard let number = try number(name, in: range) else { return nil }
      note(name)
      return number
    }

    /// Returns a value in -100…100 that is used with Safelight's own curve.
    mutating func amount(_ name: String) throws -> Float {
      Float(try approximately(name, in: -100...100) ?? 0)
    }

    /// Returns a value that shapes what another setting does, or the usual one.
    mutating func detail(_ name: String, in range: ClosedRange<Double>, usual: Double) throws -> Float {
      used.insert(name)
      guard let number = try settings.number(name, in: range), number != usual else { return Float(usual) }
      note(name)
      return Float(number)
    }

    private mutating func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
      used.insert(name)
      guard let number = try settings.number(name, in: range), number != 0 else { return nil }
      return number
    }

    // MARK: Saying what became of them

    mutating func use(_ name: String) { used.insert(name) }

    mutating func note(_ name: String, _ reason: String? = nil) {
      report.approximate.append(setting(name, reason))
      used.insert(name)
    }

    mutating func noteExact(_ name: String) {
      report.exact.append(setting(name, nil))
      used.insert(name)
    }

    /// Says what became of a part of a setting, such as a slider of a mask.
    mutating func notePart(_ part: ImportedSettings.Setting) { report.approximate.append(part) }
    mutating func ignorePart(_ part: ImportedSettings.Setting) { report.ignored.append(part) }

    /// Leaves a setting unused, and says why.
    mutating func leave(_ name: String, _ reason: String) { reasons[name] = reason }

    private func setting(_ name: String, _ reason: String?) -> ImportedSettings.Setting {
      ImportedSettings.Setting(name: name, value: text(name), reason: reason)
    }

    private func text(_ name: String) -> String {
      switch settings.values[name] {
      case .text(let text)?: String(text.prefix(ImportedSettings.longestValue))
      case .structure(let fields)?: String((fields["Name"] ?? "").prefix(ImportedSettings.longestValue))
      case .list, .structures, nil: ""
      }
    }

    /// Returns the report, in which what was not used and would change the picture is ignored, by name.
    func finished() -> ImportedSettings {
      var report = report
      for name in settings.values.keys.sorted()
      where !used.contains(name) && !AdobeNeutral.isNeutral(name, in: settings) {
        report.ignored.append(setting(name, reasons[name] ?? AdobeNeutral.reason(name)))
      }
      return report
    }

    // MARK: White balance

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
      guard WhiteBalance.temperatures.contains(shifted), (-100...100).contains(tint) else {
        leave("Temperature", "further from the camera's own than white balance reaches here")
        return nil
      }
      note("Temperature")
      if tint != 0 { note("Tint") } else { use("Tint") }
      return WhiteBalance(temperature: Float((shifted / 10).rounded() * 10), tint: Float(tint))
    }

    // MARK: Detail and effects

    mutating func noiseReduction() throws -> [any Filter] {
      let (luminance, color) = (try amount("LuminanceSmoothing"), try amount("ColorNoiseReduction"))
      guard luminance > 0 || color > 0 else { return [] }
      return [
        NoiseReduction(
          luminance: max(luminance, 0),
          luminanceDetail: luminance > 0
            ? try detail("LuminanceNoiseReductionDetail", in: 0...100, usual: 50) : 50,
          color: max(color, 0),
          colorDetail: color > 0 ? try detail("ColorNoiseReductionDetail", in: 0...100, usual: 50) : 50)
      ]
    }

    mutating func vignette() throws -> [any Filter] {
      let amount = try amount("PostCropVignetteAmount")
      guard amount != 0 else { return [] }
      return [
        Vignette(
          amount: amount, midpoint: try detail("PostCropVignetteMidpoint", in: 0...100, usual: 50),
          feather: try detail("PostCropVignetteFeather", in: 0...100, usual: 50),
          roundness: try detail("PostCropVignetteRoundness", in: -100...100, usual: 0))
      ]
    }

    /// Roughness is called frequency there.
    mutating func grain() throws -> [any Filter] {
      guard let amount = try approximately("GrainAmount", in: 0...100) else { return [] }
      return [
        Grain(
          Float(amount), size: try detail("GrainSize", in: 0...100, usual: 25),
          roughness: try detail("GrainFrequency", in: 0...100, usual: 50))
      ]
    }

    mutating func sharpening() throws -> [any Filter] {
      guard let amount = try approximately("Sharpness", in: 0...150) else { return [] }
      return [
        Sharpen(
          Float(amount), radius: try detail("SharpenRadius", in: 0.5...3, usual: 1),
          detail: try detail("SharpenDetail", in: 0...100, usual: 25),
          masking: try detail("SharpenEdgeMasking", in: 0...100, usual: 0))
      ]
    }
  }
}
