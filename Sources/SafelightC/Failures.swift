import CSafelight
import Libc
import Safelight

/// An error as C sees it; its texts live as long as it does.
final class Failure: Handle, @unchecked Sendable {
  override class var name: String { "error" }

  let code: Int32
  let message, problem, remedy: UnsafeMutablePointer<CChar>?

  init(_ error: any Error) {
    let known: SafelightError
    switch error {
    case let error as SafelightError: (known, code) = (error, error.code.number)
    case let error as CaptureFailure: (known, code) = (error.error, error.error.code.number)
    case let error as Forked:
      known = SafelightError(
        .invalidValue, "The \(error.name) was made before fork(), in the parent process",
        remedy: "make it in the process that uses it, after exec()")
      code = Int32(SAFELIGHT_ERROR_FORKED)
    default:
      known = SafelightError(.file, "\(error)")
      code = known.code.number
    }
    (message, problem, remedy) = (strdup(known.description), strdup(known.problem), strdup(known.remedy))
  }

  deinit { for text in [message, problem, remedy] { free(text) } }
}

extension SafelightError.Code {
  /// The header's number. A switch without a default: a new code does not compile before it has one.
  fileprivate var number: Int32 {
    let number =
      switch self {
      case .invalidValue: SAFELIGHT_ERROR_INVALID_VALUE
      case .file: SAFELIGHT_ERROR_FILE
      case .exists: SAFELIGHT_ERROR_EXISTS
      case .noSpace: SAFELIGHT_ERROR_NO_SPACE
      case .corruptData: SAFELIGHT_ERROR_CORRUPT_DATA
      case .unsupported: SAFELIGHT_ERROR_UNSUPPORTED
      case .tooLarge: SAFELIGHT_ERROR_TOO_LARGE
      case .noMemory: SAFELIGHT_ERROR_NO_MEMORY
      case .noResources: SAFELIGHT_ERROR_NO_RESOURCES
      case .device: SAFELIGHT_ERROR_DEVICE
      }
    return Int32(number)
  }
}

/// Where C wants an error; nil if it wants none.
public typealias FailurePlace = UnsafeMutablePointer<OpaquePointer?>?

/// Returns what `body` returns, or nil after storing its error at `place`.
func attempt<Value>(_ place: FailurePlace, _ body: () throws -> Value) -> Value? {
  do {
    return try body()
  } catch {
    place?.pointee = Pointers.owned(Failure(error))
    return nil
  }
}

/// Runs `body` and returns whether it succeeded; its error is stored at `place`.
func succeeds(_ place: FailurePlace, _ body: () throws -> Void) -> Bool { attempt(place, body) != nil }

/// The error at a pointer, in any process: it has no threads.
private func failure(_ pointer: OpaquePointer?) -> Failure? {
  pointer.map { Unmanaged<Failure>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
}

@_cdecl("safelight_error_code")
public func errorCode(_ error: OpaquePointer?) -> Int32 { failure(error)?.code ?? 0 }

@_cdecl("safelight_error_message")
public func errorMessage(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  failure(error)?.message.map { UnsafePointer($0) }
}

@_cdecl("safelight_error_problem")
public func errorProblem(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  failure(error)?.problem.map { UnsafePointer($0) }
}

@_cdecl("safelight_error_remedy")
public func errorRemedy(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  failure(error)?.remedy.map { UnsafePointer($0) }
}

@_cdecl("safelight_error_destroy")
public func errorDestroy(_ error: OpaquePointer?) { Pointers.release(error, as: Failure.self) }

@_cdecl("safelight_text_destroy")
public func textDestroy(_ text: UnsafeMutablePointer<CChar>?) { free(text) }

/// The version as a C text, which is never freed.
private enum Version {
  nonisolated(unsafe) static let text = UnsafePointer(strdup(SafelightVersion.current))
}

@_cdecl("safelight_version")
public func version() -> UnsafePointer<CChar>? { Version.text }
