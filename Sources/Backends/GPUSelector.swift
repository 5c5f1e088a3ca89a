import VulkanRendering
import FrameCore
import Libc

/// The user's choice of GPU.
public enum GPUSelector: Sendable, Hashable, CustomStringConvertible {
  /// The number in `--gpu list`, from 0.
  case number(Int)
  /// Part of its name, ignoring case.
  case name(String)

  /// - Throws: `SafelightError` if the text is not a selector.
  public init(_ text: String) throws {
    let digits = text.utf8
    if !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      guard let number = Int(text) else { throw Self.problem(text) }
      self = .number(number)
    } else if text.contains(where: { !$0.isWhitespace }), !text.hasPrefix("-") {
      self = .name(text)
    } else {
      throw Self.problem(text)
    }
  }

  private static func problem(_ text: String) -> SafelightError {
    SafelightError(
      .invalidValue, "“\(text)” names no GPU",
      remedy: "give its number or a part of its name, as --gpu list shows them")
  }

  /// Returns the selector in the environment variable `SAFELIGHT_GPU`; nil if it is unset or empty.
  ///
  /// - Throws: `SafelightError` if its value is not a selector.
  public static func fromEnvironment() throws -> GPUSelector? {
    guard let value = getenv(variable), value.pointee != 0 else { return nil }
    do {
      return try GPUSelector(String(cString: value))
    } catch let error as SafelightError {
      throw SafelightError(error.code, "\(variable): \(error.problem)", remedy: error.remedy)
    }
  }

  /// The name of the environment variable.
  package static let variable = "SAFELIGHT_GPU"

  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .name(let name): name
    }
  }
}
