import Libc

/// A table of a camera profile that moves colours: by hue, saturation and, if it has several layers, value, as HSV has
/// them of linear light in the primaries of ROMM RGB.
///
///     hue' = hue + shift,   saturation' = min(saturation · factor, 1),   value' = value · factor
///
/// with all three interpolated linearly between the table's nodes. Hues are a circle; saturations and values go from
/// 0 to 1, and what is brighter is treated like 1, so that no light is cut.
///
/// Source: DNG 1.7.1.0, chapter 6, "Hue/Saturation/Value Mapping Table", and tags 50937…50939 and 51107.
struct HueSatMap: Sendable, Hashable {
  /// How many hues, saturations and values.
  let hues, saturations, values: Int
  /// Per node a shift of the hue in degrees and the factors of saturation and value: saturations change fastest, then
  /// hues.
  let nodes: [SIMD3<Float>]
  /// Whether values are looked up, and multiplied, as sRGB encodes them.
  let isEncoded: Bool

  private static let mostNodes = 1 << 20

  /// - Parameters:
  ///   - dimensions: of hues, saturations and values.
  ///   - numbers: three for each node.
  /// - Returns: nil if they do not fit each other or are none.
  init?(dimensions: [Int], numbers: [Float], isEncoded: Bool) {
    guard dimensions.count == 3, dimensions[0] >= 1, dimensions[1] >= 2, dimensions[2] >= 1,
      dimensions.allSatisfy({ $0 <= 4096 }), dimensions.reduce(1, *) <= Self.mostNodes,
      numbers.count == 3 * dimensions.reduce(1, *), numbers.allSatisfy({ abs($0) < 1e4 })
    else { return nil }
    (hues, saturations, values) = (dimensions[0], dimensions[1], dimensions[2])
    nodes = stride(from: 0, to: numbers.count, by: 3).map { index in
      SIMD3(numbers[index], max(numbers[index + 1], 0), max(numbers[index + 2], 0))
    }
    self.isEncoded = isEncoded
  }

  private init(like map: HueSatMap, nodes: [SIMD3<Float>]) {
    (hues, saturations, values, isEncoded) = (map.hues, map.saturations, map.values, map.isEncoded)
    self.nodes = nodes
  }

  /// Returns the table between this and one of the same dimensions: `part` of the other.
  func blended(with other: HueSatMap, by part: Double) -> HueSatMap {
    guard other.nodes.count == nodes.count, other.hues == hues, other.values == values else { return self }
    return HueSatMap(like: self, nodes: zip(nodes, other.nodes).map { $0 + Float(part) * ($1 - $0) })
  }

  /// Returns what a colour becomes; negative channels count as 0.
  ///
  /// - Parameter rgb: linear light in ROMM RGB, 1 where the sensor is full.
  func apply(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
    let light = pointwiseMax(rgb, .zero)
    let value = light.max()
    let chroma = value - light.min()
    guard chroma > 0 else { return applied(hue: 0, saturation: 0, value: value) }
    // In sixths of the circle, from red.
    var hue =
      if value == light.x {
        (light.y - light.z) / chroma
      } else if value == light.y {
        2 + (light.z - light.x) / chroma
      } else {
        4 + (light.x - light.y) / chroma
      }
    if hue < 0 { hue += 6 }
    return applied(hue: hue, saturation: chroma / value, value: value)
  }

  private func applied(hue: Float, saturation: Float, value: Float) -> SIMD3<Float> {
    let level = encoded(value)
    let change = change(hue: hue, saturation: saturation, value: level)
    let brightness = isEncoded ? decoded(level * change.z) : value * change.z
    return Self.rgb(
      hue: hue + change.x / 60, saturation: min(saturation * change.y, 1), value: brightness)
  }

  private func encoded(_ value: Float) -> Float {
    guard isEncoded else { return value }
    return value <= 0.0031308 ? 12.92 * value : 1.055 * powf(value, 1 / 2.4) - 0.055
  }

  private func decoded(_ value: Float) -> Float {
    value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
  }

  /// Returns the interpolated node.
  private func change(hue: Float, saturation: Float, value: Float) -> SIMD3<Float> {
    let (hueIndex, nextHue, huePart) = circle(hue)
    let (saturationIndex, saturationPart) = place(saturation, saturations)
    func layer(_ index: Int) -> SIMD3<Float> {
      func mixed(_ hue: Int) -> SIMD3<Float> {
        let first = (index * hues + hue) * saturations + saturationIndex
        return nodes[first] + saturationPart * (nodes[first + 1] - nodes[first])
      }
      let here = mixed(hueIndex)
      return here + huePart * (mixed(nextHue) - here)
    }
    guard values > 1 else { return layer(0) }
    let (valueIndex, valuePart) = place(value, values)
    let below = layer(valueIndex)
    return below + valuePart * (layer(valueIndex + 1) - below)
  }

  private func circle(_ hue: Float) -> (index: Int, next: Int, part: Float) {
    guard hues > 1 else { return (0, 0, 0) }
    let place = hue * Float(hues) / 6
    let index = min(Int(place), hues - 1)
    return (index, index + 1 < hues ? index + 1 : 0, place - Float(index))
  }

  private func place(_ share: Float, _ count: Int) -> (index: Int, part: Float) {
    let place = min(max(share, 0), 1) * Float(count - 1)
    let index = min(Int(place), count - 2)
    return (index, place - Float(index))
  }

  /// - Parameter hue: in sixths of the circle.
  private static func rgb(hue: Float, saturation: Float, value: Float) -> SIMD3<Float> {
    let turned = hue - 6 * (hue / 6).rounded(.down)
    // How far a channel is from the hue at which it is largest, less the third around it in which it stays so.
    func channel(_ offset: Float) -> Float {
      let away = abs(turned - offset)
      return min(max(min(away, 6 - away) - 1, 0), 1)
    }
    return value * (SIMD3(repeating: 1) - saturation * SIMD3(channel(0), channel(2), channel(4)))
  }
}
