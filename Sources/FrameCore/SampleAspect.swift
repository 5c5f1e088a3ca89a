/// The ratio of a sample's displayed width to its height: 16:15 for PAL, 1:1 for square samples.
public struct SampleAspect: Sendable, Hashable {
  /// Both above 0.
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public static let square = SampleAspect(width: 1, height: 1)

  package var isSquare: Bool { width == height }

  /// The aspect after a quarter turn of the picture.
  package var turned: SampleAspect { SampleAspect(width: height, height: width) }
}

extension SampleAspect: CustomStringConvertible {
  public var description: String { "\(width):\(height)" }
}

/// Whether all rows of a picture share one moment, or alternate rows belong to the next.
public enum FieldOrder: Sendable, Hashable {
  case progressive
  /// Rows 0, 2, 4 … come first.
  case topFirst
  /// Rows 1, 3, 5 … come first.
  case bottomFirst

  /// The order after the picture is moved by an odd number of rows, or an even number of rows is flipped.
  package var exchanged: FieldOrder {
    switch self {
    case .progressive: .progressive
    case .topFirst: .bottomFirst
    case .bottomFirst: .topFirst
    }
  }
}
