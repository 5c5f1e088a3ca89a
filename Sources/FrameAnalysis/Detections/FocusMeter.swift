import FrameCore

/// Measures how sharp the middle of live frames is, at their full resolution.
///
/// `Sharpness` of a proxy cannot see blur that is finer than the proxy. This is the same measure, on the middle half
/// of the frame's width and height, halved only where that is wider than 960 pixels. Exposure and contrast cancel, so
/// that values of one scene can be compared while the lens moves. Belongs to one thread at a time; keeps its memory.
public final class FocusMeter {
  private let area: SubjectArea
  private var luma = PartialLuma()
  private var halves = SampleBuffer<Float>(capacity: 1)

  private static let longEdge = 960

  /// - Parameter area: what is to be sharp; nil is the middle.
  /// - Throws: `SafelightError` if the area is not inside the frame.
  public init(area: SubjectArea? = nil) throws {
    try area?.validate()
    self.area = area ?? SubjectArea(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
  }

  /// Measures the middle.
  public init() { area = SubjectArea(x: 0.25, y: 0.25, width: 0.5, height: 0.5) }

  /// Measures a frame.
  public func measure(_ frame: Frame) -> Sharpness {
    measure(frame, in: area)
  }

  /// Measures a part of a frame.
  package func measure(_ frame: Frame, in area: SubjectArea) -> Sharpness {
    let size = luma.take(area, of: frame, longEdge: Self.longEdge)
    halves.reserve(size.pixelCount / 4 + 1)
    return Sharpness(
      luma: UnsafeBufferPointer(start: luma.base, count: size.pixelCount), size: size, half: halves.base)
  }
}
