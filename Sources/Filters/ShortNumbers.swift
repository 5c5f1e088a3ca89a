import FrameCore

extension PlainNumber {
  /// Returns the shortest decimal that stands for a number, as in recipes: 0.7, not 0.699999988.
  static func short(_ number: Float) -> String { text(Double("\(number)") ?? Double(number)) }
}
