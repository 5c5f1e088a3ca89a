import Safelight
import Synchronization
import WebServer

/// The answer that a script waits for, given once by whatever thread has it.
///
/// One that nobody gives, because the studio ends, is a refusal: nothing waits for ever.
final class ScriptReply: Sendable {
  private let waiting: Mutex<CheckedContinuation<WebResponse, Never>?>

  init(_ continuation: CheckedContinuation<WebResponse, Never>) { waiting = Mutex(continuation) }

  deinit { give(.problem(503, detail: "The studio ends; start it again.")) }

  func give(_ response: WebResponse) {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(returning: response)
  }

  /// Gives what is made, or why it could not be.
  func give(_ make: () throws -> WebResponse) {
    do { give(try make()) } catch { give(ScriptRefusal.response(to: error)) }
  }
}

/// A request that is not done, with the status that says so.
struct ScriptRefusal: Error {
  private(set) var response: WebResponse

  /// - Parameter detail: what is wrong, and what to do about it.
  init(_ status: Int, _ detail: String) { response = .problem(status, detail: detail) }

  static let noPhoto = ScriptRefusal(
    404, "There is no photo with this id; GET /api/v1/photos lists those that can be asked for.")
  static let noExport = ScriptRefusal(
    404, "There is no export with this id; its address is the Location that POST /api/v1/exports answered.")

  /// So much waits already that more would only wait longer.
  static func tooMany(_ what: String, _ count: Int) -> ScriptRefusal {
    var refusal = ScriptRefusal(
      429, "\(count) \(what) wait already; ask again when some of them are answered.")
    refusal.response.fields.add("Retry-After", "1")
    return refusal
  }

  static func response(to error: any Error) -> WebResponse {
    if let refusal = error as? ScriptRefusal { return refusal.response }
    guard let error = error as? SafelightError else { return .problem(500, detail: "\(error)") }
    let status =
      switch error.code {
      case .invalidValue, .corruptData, .unsupported, .tooLarge, .missingLibrary: 422
      case .exists: 409
      case .noMemory, .noResources, .device: 503
      case .noSpace: 507
      case .file: 500
      }
    return .problem(status, detail: error.description)
  }
}

/// Which state of something a script has asked for, or has changed.
struct ScriptCondition: Sendable {
  /// The values of `If-Match` and `If-None-Match`.
  let matches, differs: [String]

  init(_ fields: WebFields) {
    (matches, differs) = (fields.all("If-Match"), fields.all("If-None-Match"))
  }

  /// - Throws: `ScriptRefusal` if it is not the state that the script has seen. A script that names none takes any: each
  ///   change is a step that can be undone.
  func check(_ tag: String) throws {
    guard matches.isEmpty || EntityTag.isNamed(tag, in: matches) else {
      throw ScriptRefusal(
        412, "The edit has changed since you read it; read it again, and change what is there now.")
    }
  }

  /// Returns a state, or 304 if the script has it.
  func response(_ json: String, tag: String) -> WebResponse {
    if EntityTag.isNamed(tag, in: differs) { return WebResponse(status: 304, fields: ["ETag": tag]) }
    var response = WebResponse.json(json)
    response.fields.add("ETag", tag)
    return response
  }

  /// A tag of a text.
  static func tag(of text: String) -> String { StaticContent(Array(text.utf8), type: "").tag }
}
