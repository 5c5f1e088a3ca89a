import CSafelight
import Safelight

/// A renderer that C holds, and the tables that its plans share.
final class RendererHandle: Handle, @unchecked Sendable {
  override class var name: String { "renderer" }

  let renderer: any Renderer
  /// The threads that take part in one picture; nil for one per processor.
  let threads: Int?
  let bakes = BakeCache(capacity: 16)

  init(_ backend: Backend, threads: Int?) throws {
    self.threads = threads
    renderer = try BackendRequest(backend, gpu: .fromEnvironment()).makeRenderer(threads: threads)
  }

  deinit { renderer.endTrials() }
}

@_cdecl("safelight_renderer_create")
public func rendererCreate(_ backend: UnsafePointer<CChar>?, _ threads: Int32, _ error: FailurePlace)
  -> OpaquePointer?
{
  attempt(error) {
    let name = try Pointers.optional(backend, "backend") ?? Backend.cpu.rawValue
    guard let backend = Backend(rawValue: name) else {
      throw NearestName.error(unknown: "backend", name, among: Backend.allCases.map(\.rawValue))
    }
    guard (0...1024).contains(threads) else {
      throw SafelightError(
        .invalidValue, "\(threads) threads were asked for", remedy: "give 1…1024, or 0 for all processors")
    }
    return Pointers.owned(try RendererHandle(backend, threads: threads == 0 ? nil : Int(threads)))
  }
}

@_cdecl("safelight_renderer_destroy")
public func rendererDestroy(_ renderer: OpaquePointer?) {
  Pointers.release(renderer, as: RendererHandle.self)
}
