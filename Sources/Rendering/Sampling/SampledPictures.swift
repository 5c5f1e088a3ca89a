import FilterGraph
import FrameCore
import Synchronization

/// What plans have made of one source before they change its colours: pictures without noise, downsampled and turned.
///
/// While colours are edited they stay the same, and only the colours are rendered anew. The ones used last are kept, up
/// to a limit of memory.
public final class SampledPictures: Sendable {
  private struct Kept {
    enum Contents {
      case picture(PixelBuffer)
      case tiles(DenoisedTiles)
    }
    let stages: [Stage]
    let contents: Contents

    var bytes: Int {
      switch contents {
      case .picture(let picture): picture.bytes
      case .tiles(let tiles): tiles.bytes
      }
    }
  }
  private let kept = Mutex<[Kept]>([])
  private let mostBytes: Int

  /// - Parameter mostBytes: the memory that pictures may take; the newest one is kept even if it needs more.
  public init(mostBytes: Int = 256 << 20) { self.mostBytes = mostBytes }

  /// The bytes of all pictures kept.
  public var bytes: Int { kept.withLock { $0.reduce(0) { $0 + $1.bytes } } }

  /// Whether a plan finds here what it makes of the source before the colours, or needs nothing made.
  package func serves(_ plan: Plan) -> Bool {
    guard plan.readsWholeSource else { return true }
    let stages = plan.samplingOnly.stages
    // A move of whole pixels is made with the colours.
    let isMoved = plan.geometry.map { $0.pixelMove != nil } ?? true
    let needed = isMoved ? stages.filter { if case .geometry = $0 { false } else { true } } : stages
    return kept.withLock { $0.contains { $0.stages == needed } }
  }

  /// Releases all pictures.
  public func removeAll() { kept.withLock { $0.removeAll() } }

  /// Returns the picture that these stages make of the source, made now unless it is kept.
  func picture(of stages: [Stage], _ make: () throws -> PixelBuffer) rethrows -> PixelBuffer {
    if case .picture(let picture)? = find(stages) { return picture }
    let made = try make()
    keep(Kept(stages: stages, contents: .picture(made)))
    return made
  }

  /// Returns the picture without noise that the first of these stages makes of the source, as far as it is made.
  func tiles(of stages: [Stage], _ make: () throws -> PixelBuffer) rethrows -> DenoisedTiles {
    if case .tiles(let tiles)? = find(stages) { return tiles }
    let made = DenoisedTiles(try make())
    keep(Kept(stages: stages, contents: .tiles(made)))
    return made
  }

  private func find(_ stages: [Stage]) -> Kept.Contents? {
    kept.withLock { kept in
      guard let index = kept.firstIndex(where: { $0.stages == stages }) else { return nil }
      // The ones used last stay longest.
      let found = kept.remove(at: index)
      kept.append(found)
      return found.contents
    }
  }

  private func keep(_ made: Kept) {
    kept.withLock { kept in
      kept.append(made)
      var bytes = kept.reduce(0) { $0 + $1.bytes }
      while kept.count > 1, bytes > mostBytes { bytes -= kept.removeFirst().bytes }
    }
  }
}

extension PixelBuffer {
  /// The memory that the samples take.
  var bytes: Int { planes.reduce(0) { $0 + $1.rowBytes * $1.rows } }
}
