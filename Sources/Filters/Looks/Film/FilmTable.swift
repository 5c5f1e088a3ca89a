import ColorScience
import FrameCore
import Libc
import Synchronization

/// Tables of films: `FilmModel` at 33³ colours, made in single precision from samples of its curves, since a slider or a
/// sheet of looks needs one within a few milliseconds. A test compares the nodes with the model.
struct FilmTable {
  static let size = 33

  /// Tables made last, which a slider of strength and a strip of looks ask for again; 0.6 MB each.
  private static let recent = Mutex<[(film: Film, table: ColorLUT)]>([])
  static let capacity = 24

  /// Returns the table of a film, whatever its strength.
  static func table(of film: Film) throws -> ColorLUT {
    var key = film
    key.strength = 100
    let known = recent.withLock { recent -> ColorLUT? in
      guard let index = recent.lastIndex(where: { $0.film == key }) else { return nil }
      // The most recently used stays longest.
      let entry = recent.remove(at: index)
      recent.append(entry)
      return entry.table
    }
    if let known { return known }
    let table = try FilmTable(FilmModel(key)).lut()
    recent.withLock { recent in
      if recent.count >= capacity { recent.removeFirst() }
      recent.append((key, table))
    }
    return table
  }

  private let model: FilmModel
  /// Light at the nodes of an axis, and the density at unit gamma that it leaves.
  private let light: [Float]
  private let axis: [Float]
  /// Densities by stops of light, for black and white films.
  private let film: SampledFunction
  private let print: SampledFunction
  /// Light by the print's densities.
  private let tones: [SampledFunction]

  init(_ model: FilmModel) {
    self.model = model
    let top = FilmModel.encoding.transfer[0].encode(model.brightest)
    let lights = (0..<Self.size).map {
      FilmModel.encoding.transfer[0].decode(top * Double($0) / Double(Self.size - 1))
    }
    light = lights.map(Float.init)
    axis = lights.map { Float(model.filmDensity($0)) }
    film = SampledFunction(over: -20...4) { model.filmDensity(exp2($0)) }
    // Inhibition takes densities beyond those of greys by half of their range and more.
    let range = model.filmDensity(model.brightest)
    let (least, most) = (-0.5 * range * model.gamma.max(), 1.5 * range * model.gamma.max())
    let prints = (model.printing - most)...(model.printing - least)
    print = SampledFunction(over: prints, model.printDensity)
    let densest = model.printDensity(prints.upperBound) * (1 + model.silver) + model.depth * 0.6 * range
    tones = (0..<3).map { channel in
      SampledFunction(over: 0...densest) { model.tone(exp(-$0 * log(10.0)), channel) }
    }
  }

  /// Encoded light by the root of light, where its curve is nearly straight.
  private static let encoded = SampledFunction(over: 0...1.5) {
    FilmModel.encoding.transfer[0].encode($0 * $0)
  }
  private static let distances = SampledFunction(
    over: FilmModel.threshold...2, FilmModel.compressed(distance:))

  func lut() throws -> ColorLUT {
    let top = Float(FilmModel.encoding.transfer[0].encode(model.brightest))
    var nodes: [SIMD3<Float>] = []
    nodes.reserveCapacity(Self.size * Self.size * Self.size)
    let maker = NodeMaker(model)
    for blue in 0..<Self.size {
      for green in 0..<Self.size {
        for red in 0..<Self.size {
          let s: SIMD3<Float>
          if model.shares == nil {
            s = SIMD3(axis[red], axis[green], axis[blue])
          } else {
            let e = maker.grey(of: SIMD3(light[red], light[green], light[blue]))
            s = SIMD3(repeating: film(log2(max(e, 1e-6))))
          }
          nodes.append(node(s, maker))
        }
      }
    }
    let domain = SIMD3<Float>(repeating: top)
    return ColorLUT(cube: try LUT3D(size: Self.size, nodes: nodes, domainMax: domain))
  }

  /// The encoded colour that layers of these densities at unit gamma come to.
  @inline(__always)
  private func node(_ s: SIMD3<Float>, _ maker: NodeMaker) -> SIMD3<Float> {
    let h = maker.printing - maker.gamma * maker.inhibition.apply(s)
    var p = maker.dyes.apply(SIMD3(print(h.x), print(h.y), print(h.z)))
    p += maker.silver * (maker.silverShares * p).sum()
    let apart = s - s.sum() / 3
    p += maker.depth * ((0.12 * (apart * apart).sum() + 0.0009).squareRoot() - 0.03)
    var rgb = maker.toSRGB.apply(SIMD3(tones[0](p.x), tones[1](p.y), tones[2](p.z)))
    let most = rgb.max()
    if most > 0 {
      let distance = 1 - rgb / most
      for channel in 0..<3 where distance[channel] > Float(FilmModel.threshold) {
        rgb[channel] = most * (1 - Self.distances(distance[channel]))
      }
    }
    let light = maker.fromSRGB.apply(rgb)
    func encoded(_ x: Float) -> Float {
      x < 0 ? -Self.encoded((-x).squareRoot()) : Self.encoded(x.squareRoot())
    }
    return SIMD3(encoded(light.x), encoded(light.y), encoded(light.z))
  }
}

/// The numbers of a film in single precision.
private struct NodeMaker {
  let gamma, silverShares, shares, luminance: SIMD3<Float>
  let printing, silver, depth: Float
  let inhibition, dyes, toSRGB, fromSRGB: Columns

  init(_ model: FilmModel) {
    gamma = SIMD3(model.gamma)
    silverShares = SIMD3(FilmModel.silverShares)
    shares = SIMD3(model.shares ?? .zero)
    luminance = SIMD3(ColorSpace.linearRec2020.toXYZ.rows[1])
    (printing, silver, depth) = (Float(model.printing), Float(model.silver), Float(model.depth))
    (inhibition, dyes) = (Columns(model.inhibition), Columns(model.dyes))
    toSRGB = Columns(ColorSpace.linearRec2020.matrix(to: .linearSRGB))
    fromSRGB = Columns(ColorSpace.linearSRGB.matrix(to: .linearRec2020))
  }

  /// The light that exposes a black and white film.
  func grey(of light: SIMD3<Float>) -> Float {
    let mix = (shares * light).sum()
    let soft = 0.3 * (luminance * light).sum()
    return (mix + (mix * mix + soft * soft).squareRoot()) / (1 + Float(1.09).squareRoot())
  }

  /// A matrix by its columns, which a product adds up.
  struct Columns {
    let a, b, c: SIMD3<Float>

    init(_ m: Matrix3x3) {
      a = SIMD3(Float(m.rows[0].x), Float(m.rows[1].x), Float(m.rows[2].x))
      b = SIMD3(Float(m.rows[0].y), Float(m.rows[1].y), Float(m.rows[2].y))
      c = SIMD3(Float(m.rows[0].z), Float(m.rows[1].z), Float(m.rows[2].z))
    }

    @inline(__always)
    func apply(_ v: SIMD3<Float>) -> SIMD3<Float> { a * v.x + b * v.y + c * v.z }
  }
}

/// A function by equally spaced samples, straight in between and constant beyond.
private struct SampledFunction {
  private static let last = 2047
  private let start, scale: Float
  private let samples: [Float]

  init(over range: ClosedRange<Double>, _ function: (Double) -> Double) {
    let step = (range.upperBound - range.lowerBound) / Double(Self.last)
    samples = (0...Self.last).map { Float(function(range.lowerBound + step * Double($0))) }
    (start, scale) = (Float(range.lowerBound), Float(1 / step))
  }

  @inline(__always)
  func callAsFunction(_ x: Float) -> Float {
    let position = min(max((x - start) * scale, 0), Float(Self.last))
    let index = min(Int(position), Self.last - 1)
    return samples[index] + (position - Float(index)) * (samples[index + 1] - samples[index])
  }
}
