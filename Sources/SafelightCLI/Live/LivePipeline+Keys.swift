import Safelight

/// What keys change of a look while it runs; each returns what to say.
extension LivePipeline {
  func toggleOriginal() -> String {
    updateLook { $0.showsOriginal.toggle() }
    return look.showsOriginal ? "Before" : "After"
  }

  /// - Parameter step: 0.1 is ten percent.
  func changeStrength(by step: Double) -> String {
    updateLook { $0.strength = min(1, max(0, $0.strength + step)) }
    return "Strength \(PlainNumber.fixed(100 * look.strength, 0)) %"
  }
}
