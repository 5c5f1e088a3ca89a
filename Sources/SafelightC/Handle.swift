import Libc
import Safelight

/// An object that C holds by a pointer.
class Handle: @unchecked Sendable {
  /// What the object is called in errors.
  class var name: String { "object" }

  private let process = getpid()

  /// Whether this process made it, rather than one that it was forked from, whose threads it has not.
  var isOurs: Bool { process == getpid() }
}

/// The pointers that C gives and gets.
enum Pointers {
  /// Returns a pointer that owns a reference to `object`.
  static func owned(_ object: Handle) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Returns the object of a pointer that `owned` made.
  ///
  /// - Throws: `SafelightError` if the pointer is NULL.
  static func object<Object: Handle>(_ pointer: OpaquePointer?, as type: Object.Type = Object.self) throws
    -> Object
  {
    guard let pointer else {
      throw SafelightError(.invalidValue, "The \(type.name) is NULL", remedy: "give one that was created")
    }
    return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  /// Gives up the reference that a pointer owns. In a forked process it is kept, because threads of the object that
  /// only its parent has could not be ended.
  static func release<Object: Handle>(_ pointer: OpaquePointer?, as type: Object.Type) {
    guard let pointer else { return }
    let reference = Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer))
    if reference.takeUnretainedValue().isOurs { reference.release() }
  }

  /// Returns a copy of a text that C frees.
  ///
  /// - Throws: `SafelightError` if memory is short.
  static func text(_ text: String) throws -> UnsafeMutablePointer<CChar> {
    guard let copy = strdup(text) else {
      throw SafelightError(.noMemory, "Not enough memory for a text", remedy: "close other programs")
    }
    return copy
  }

  /// - Throws: `SafelightError` if the pointer is NULL, or the text is not UTF-8: repaired, it would name another file.
  static func string(_ text: UnsafePointer<CChar>?, _ name: String) throws -> String {
    guard let text else {
      throw SafelightError(.invalidValue, "The \(name) is NULL", remedy: "give a text")
    }
    guard let valid = String(validatingCString: text) else {
      throw SafelightError(
        .invalidValue, "The \(name) is not UTF-8: \(String(cString: text))", remedy: "rename the file")
    }
    return valid
  }

  /// As `string`, but nil for NULL.
  static func optional(_ text: UnsafePointer<CChar>?, _ name: String) throws -> String? {
    try text == nil ? nil : string(text, name)
  }
}
