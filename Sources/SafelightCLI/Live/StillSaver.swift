import Safelight
import Synchronization
import Libc

/// Saves the next picture in the working folder on request.
final class StillSaver: FrameSink {
  let name = "still"
  private let isRequested = Atomic(false)
  private let export: PhotoExport
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - export: how stills are written; JPEG, unless it names a format.
  ///   - report: receives a line for people about each still.
  init(_ export: PhotoExport, report: @escaping @Sendable (String) -> Void) {
    (self.export, self.report) = (export, report)
  }

  /// Any thread may call it.
  func request() { isRequested.store(true, ordering: .relaxed) }

  func open(_ format: SinkFormat) throws {}

  func write(_ frame: RenderedFrame) throws {
    guard isRequested.exchange(false, ordering: .relaxed) else { return }
    // A still that cannot be written is no reason to end the run.
    do {
      let path = Self.freshName((export.format ?? .jpeg).pathExtensions[0])
      try export.write(frame.picture, to: path, renderer: CPURenderer(threads: 1))
      report("Saved \(path)")
    } catch {
      report("\(error)")
    }
  }

  func close() {}

  /// `safelight-20261121-060512.jpg`, with a number if that is taken.
  private static func freshName(_ pathExtension: String) -> String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = "\(value)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date = digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1, 2) + digits(parts.tm_mday, 2)
    let stem =
      "safelight-\(date)-" + [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }.joined()
    var (path, number) = ("\(stem).\(pathExtension)", 1)
    while access(path, F_OK) == 0 {
      number += 1
      path = "\(stem)-\(number).\(pathExtension)"
    }
    return path
  }
}
