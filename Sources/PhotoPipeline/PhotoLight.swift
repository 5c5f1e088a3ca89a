import FilterGraph
import FrameCore
import PhotoIO
import Rendering
import Synchronization

extension LightProxy {
  /// The long edge to which JPEG data are decoded: each colour still averages several samples.
  private static func decodedLongEdge(isFine: Bool) -> Int {
    2 * (isFine ? LightGrid.fineLongEdge : LightGrid.longEdge)
  }

  /// Makes the proxy of a stored photo, in a pass of its own: JPEG data are decoded at a reduced size, others in bands.
  /// It depends on the photo alone, not on how or at which size it is rendered.
  ///
  /// - Parameter isFine: whether plans with texture, or with masks that follow edges, will use it.
  /// - Throws: `SafelightError` if the photo cannot be read.
  init(_ photo: PhotoFile, input: PlanInput, isFine: Bool) throws {
    let reader = try photo.reader(scaledToLongEdge: Self.decodedLongEdge(isFine: isFine))
    let maker = try LightProxyMaker(reader.size, format: reader.format, input: input, isFine: isFine)
    let band = try PixelBuffer(
      size: PixelSize(width: reader.size.width, height: min(64, reader.size.height)), format: reader.format,
      tags: reader.tags, alpha: reader.alpha)
    while reader.position < reader.size.height {
      maker.append(band, rows: try reader.read(into: band))
    }
    try reader.finish()
    self = maker.proxy
  }
}

/// The light of a photo that is edited. For JPEG data it is found on a thread of its own, while decoding begins and the
/// edit is planned.
final class PhotoLight: Sendable {
  private let found = Mutex<(proxy: Result<LightProxy, any Error>, seconds: Double)?>(nil)
  private let thread = Mutex<WorkerThread?>(nil)

  /// - Parameters:
  ///   - input: nil if no light is needed.
  ///   - isAlone: whether no thread may be started.
  /// - Returns: nil if the plan needs no light of the whole picture.
  /// - Throws: `SafelightError` if the photo cannot be read, or if the system grants no more threads.
  init?(_ photo: PhotoFile, of plan: Plan, in input: PlanInput?, isAlone: Bool) throws {
    guard let input, plan.hasLocalLight else { return nil }
    let isFine = plan.hasFineLight
    // Other decoders read on from the position of the one open file, which both passes would move.
    guard !isAlone, photo.header.fileFormat == .jpeg else {
      find(photo, input, isFine)
      return
    }
    let started = try WorkerThread(name: "light") { [self] in find(photo, input, isFine) }
    thread.withLock { $0 = started }
  }

  private func find(_ photo: PhotoFile, _ input: PlanInput, _ isFine: Bool) {
    let watch = Stopwatch()
    let proxy = Result { try LightProxy(photo, input: input, isFine: isFine) }
    found.withLock { $0 = (proxy, watch.total) }
  }

  /// Returns the proxy once it is made, and adds the time that it took.
  ///
  /// - Throws: `SafelightError` if the photo cannot be read.
  func proxy(_ watch: inout Stopwatch) throws -> LightProxy? {
    join()
    guard let (proxy, seconds) = found.withLock({ $0 }) else { return nil }
    watch.add(seconds, to: "light")
    return try proxy.get()
  }

  /// Waits for the thread's end.
  func join() {
    thread.withLock {
      $0?.join()
      $0 = nil
    }
  }
}
