import ColorScience
import FrameCore

/// Where a field finds the picture as it is stored, for what is measured there: the light of its places, in the
/// channels in which it was recorded.
///
/// Haze and scattered light are found in the channels of the input's own primaries, so that what they leave are colours
/// that the picture could hold.
public struct FieldOrigin: Sendable, Hashable {
  /// The size of the picture as stored, uncropped.
  public let source: PixelSize
  /// From pixels, wherever the picture was cropped and turned to, to 0…1 along both axes of the stored picture.
  public private(set) var toUnit: AffineMap
  /// From linear RGB where the field is to the input's primaries.
  public private(set) var toChannels: Matrix3x3

  /// - Parameters:
  ///   - map: from pixels here to pixels as stored.
  ///   - toChannels: from linear RGB here to the input's primaries.
  init(source: PixelSize, map: AffineMap, toChannels: Matrix3x3) {
    self.source = source
    self.toChannels = toChannels
    toUnit = map.then(.scale(1 / Double(source.width), 1 / Double(source.height))).inSinglePrecision
  }

  /// The nodes of the grids of surroundings, and of the finer one of texture.
  public var coarse: PixelSize { LightGrid.size(for: source) }
  public var fine: PixelSize { LightGrid.size(for: source, longEdge: LightGrid.fineLongEdge) }

  /// From pixels to the nodes of a grid: node (0, 0) is at 0, 0.
  public func map(to nodes: PixelSize) -> AffineMap {
    toUnit.then(.scale(Double(nodes.width), Double(nodes.height))).then(.translation(-0.5, -0.5))
  }

  /// The same origin ahead of which a resample now comes.
  func behind(_ map: AffineMap) -> FieldOrigin {
    var moved = self
    moved.toUnit = map.then(toUnit).inSinglePrecision
    return moved
  }

  /// The same origin ahead of a matrix that was ahead of it.
  func ahead(of matrix: Matrix3x3) -> FieldOrigin {
    var moved = self
    moved.toChannels = toChannels * matrix
    return moved
  }

  /// The same wherever the picture was moved to: what plans that differ in geometry have in common.
  var unplaced: FieldOrigin {
    var unplaced = self
    unplaced.toUnit = .identity
    return unplaced
  }

  var hasFiniteNumbers: Bool { toUnit.isFinite && toChannels.isFinite && toChannels.inverse.isFinite }
}
