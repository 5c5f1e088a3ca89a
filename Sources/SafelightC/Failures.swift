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
    case is Forked:
      known = SafelightError(
        .invalidValue, "The library was used before fork(), by the parent process",
        remedy: "use it in processes that exec() starts")
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
      case .missingLibrary: SAFELIGHT_ERROR_MISSING_LIBRARY
      }
    return Int32(number)
  }
}

/// Where C wants an error; nil if it wants none.
public typealias FailurePlace = UnsafeMutablePointer<OpaquePointer?>?

/// The use of the library in a process forked from one that has used it.
private struct Forked: Error {}

/// The process that used the library first. One forked from it has none of the threads that were started, on which
/// functions without objects depend too.
private let owner = getpid()

/// Returns what `body` returns, or nil after storing its error at `place`.
func attempt<Value>(_ place: FailurePlace, _ body: () throws -> Value) -> Value? {
  do {
    guard owner == getpid() else { throw Forked() }
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
