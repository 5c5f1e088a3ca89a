/// How wide a sample is shown beside how high it is: 16:15 for PAL's, 1:1 where samples are square.
public struct SampleAspect: Sendable, Hashable {
  /// Both above 0.
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public static let square = SampleAspect(width: 1, height: 1)

  public var isSquare: Bool { width == height }

  /// What a quarter turn of the picture makes of it.
  public var turned: SampleAspect { SampleAspect(width: height, height: width) }
}

extension SampleAspect: CustomStringConvertible {
  public var description: String { "\(width):\(height)" }
}

/// Whether the rows of a picture are of one moment, or every other row is of the next.
public enum FieldOrder: Sendable, Hashable {
  case progressive
  /// Rows 0, 2, 4 … come first.
  case topFirst
  /// Rows 1, 3, 5 … come first.
  case bottomFirst

  /// What it becomes where the picture is moved by an odd number of rows, or an even number of rows is turned
  /// over.
  public var exchanged: FieldOrder {
    switch self {
    case .progressive: .progressive
    case .topFirst: .bottomFirst
    case .bottomFirst: .topFirst
    }
  }
}
