import FrameAnalysis
import FrameCore
import Rendering
import Libc

extension ScopePainter {
  func drawVectorscope(_ scope: Vectorscope, _ panel: ScopePanel) {
    drawTitle(panel.title, panel)
    let dial = ScopeDial(panel.plot)
    drawGround(dial)
    drawTrace(scope, dial)
    drawTargets(dial)
  }

  /// Draws the disc, the circles at 25 %, 50 % and so on, the axes and the skin tone line.
  private func drawGround(_ dial: ScopeDial) {
    for y in Int(dial.centre.y - dial.radius) - 1...Int(dial.centre.y + dial.radius) + 1 {
      for x in Int(dial.centre.x - dial.radius) - 1...Int(dial.centre.x + dial.radius) + 1 {
        let offset = CanvasPoint(Double(x) + 0.5, Double(y) + 0.5) - dial.centre
        let coverage = min(max(dial.radius + 0.5 - (offset * offset).sum().squareRoot(), 0), 1)
        canvas.blend(Self.plotGround, x: x, y: y, opacity: Float(coverage))
      }
    }
    for part in stride(from: 0.25, through: 1, by: 0.25) {
      canvas.strokeCircle(
        dial.centre, radius: part * dial.radius / ScopeDial.reach * 0.5, width: 1, Self.gridLine,
        opacity: part == 1 ? 0.3 : 0.16)
    }
    canvas.strokeCircle(dial.centre, radius: dial.radius, width: 1.2, Self.gridLine, opacity: 0.5)
    for axis in [CanvasPoint(1, 0), CanvasPoint(0, 1)] {
      line(
        from: dial.centre - dial.radius * axis, to: dial.centre + dial.radius * axis, strength: 0.2)
    }
    for degrees in stride(from: 0.0, to: 360, by: 10) {
      let along = ScopeDial.direction(degrees)
      let length = degrees.truncatingRemainder(dividingBy: 30) == 0 ? 10.0 : 6
      line(
        from: dial.centre + (dial.radius - length) * along, to: dial.centre + dial.radius * along,
        strength: 0.45)
    }
    let skin = ScopeDial.direction(Vectorscope.skinToneDegrees)
    canvas.stroke(
      from: dial.centre, to: dial.centre + dial.radius * skin, width: 1.3,
      CanvasColor(red: 0xF0, green: 0xB4, blue: 0x8C), opacity: 0.7)
    let end = dial.centre + (dial.radius + 12) * skin
    let text = "Skin"
    canvas.draw(
      text, Self.numberLettering, x: Int(end.x) - Self.numberLettering.width(of: text),
      y: Int(end.y) - Self.numberLettering.capHeight, Self.number)
  }

  /// Draws boxes at the 75 % bars with their letters, and small crosses at the 100 % bars.
  private func drawTargets(_ dial: ScopeDial) {
    for target in Vectorscope.targets {
      let centre = dial.position(target.place)
      let half = Vectorscope.Target.reach * dial.scale
      let corners = [
        CanvasPoint(-half, -half), CanvasPoint(half, -half), CanvasPoint(half, half),
        CanvasPoint(-half, half),
      ].map { centre + $0 }
      for (index, corner) in corners.enumerated() {
        canvas.stroke(
          from: corner, to: corners[(index + 1) % 4], width: 1.2, CanvasColor(gray: 0xE8), opacity: 0.8)
      }
      // Put the letters outside the box.
      let offset = centre - dial.centre
      let outwards = offset / (offset * offset).sum().squareRoot()
      let place = centre + (half + 17) * outwards
      let width = Self.numberLettering.width(of: target.name)
      canvas.draw(
        target.name, Self.numberLettering, x: Int(place.x.rounded()) - width / 2,
        y: Int(place.y.rounded()) - Self.numberLettering.capHeight / 2, CanvasColor(gray: 0xC8))
    }
  }

  private func drawTrace(_ scope: Vectorscope, _ dial: ScopeDial) {
    guard scope.count > 0 else { return }
    let beam = BeamSpots(scope)
    for y in Int(dial.centre.y - dial.radius)...Int(dial.centre.y + dial.radius) {
      for x in Int(dial.centre.x - dial.radius)...Int(dial.centre.x + dial.radius) {
        let place = dial.place(CanvasPoint(Double(x) + 0.5, Double(y) + 0.5))
        let brightness = beam.brightness(at: place)
        guard brightness > 0 else { continue }
        add(Self.glow(Self.hue(of: place), brightness), x: x, y: y)
      }
    }
  }

  /// Returns a light colour of the hue at a position on the dial.
  private static func hue(of place: Vectorscope.Place) -> SIMD3<Float> {
    let luma = 0.62
    let red = luma + 1.5748 * place.cr
    let blue = luma + 1.8556 * place.cb
    let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
    let color = SIMD3(Float(red), Float(green), Float(blue))
    let clipped = color.clamped(lowerBound: SIMD3(repeating: 0.06), upperBound: SIMD3(repeating: 1))
    return clipped / max(clipped.max(), 0.7)
  }
}

/// The counts of a vectorscope, blurred by a beam of some width: 8-bit codes fall on some bins more often than on
/// others, which would otherwise show as a lattice.
private struct BeamSpots {
  /// The border of two bins for the beam's spread.
  private static let border = 2
  private static let side = Vectorscope.bins + 2 * border

  private let brightness: [Float]

  init(_ scope: Vectorscope) {
    let side = Self.side
    var spots = [Float](repeating: 0, count: side * side)
    for (index, count) in scope.counts.enumerated() where count > 0 {
      let (row, column) = index.quotientAndRemainder(dividingBy: Vectorscope.bins)
      spots[(row + Self.border) * side + column + Self.border] = Float(count) / Float(scope.count)
    }
    // The binomial weights 1 2 1 along both axes.
    for step in [1, side] {
      let before = spots
      for index in step..<spots.count - step {
        spots[index] = (before[index - step] + before[index + step]) / 4 + before[index] / 2
      }
    }
    // A photo that fills the dial evenly has a few hundred-thousandths of its pixels in each bin.
    brightness = spots.map { $0 > 0 ? min(log1pf($0 * 1e6) / log1pf(1e4), 1) : 0 }
  }

  /// Returns the brightness, 0…1, interpolated between the four nearest bins.
  func brightness(at place: Vectorscope.Place) -> Float {
    let column = (place.cb + 0.5) * Double(Vectorscope.bins - 1) + Double(Self.border)
    let row = (place.cr + 0.5) * Double(Vectorscope.bins - 1) + Double(Self.border)
    let last = Double(Self.side - 1)
    guard column >= 0, row >= 0, column < last, row < last else { return 0 }
    let first = Int(row) * Self.side + Int(column)
    let across = Float(column - column.rounded(.down))
    let up = Float(row - row.rounded(.down))
    func between(_ index: Int) -> Float {
      brightness[index] + (brightness[index + 1] - brightness[index]) * across
    }
    let lower = between(first)
    return lower + (between(first + Self.side) - lower) * up
  }
}

/// The round plot of a vectorscope: +Cb to the right, +Cr upwards.
struct ScopeDial {
  /// The colour difference at the dial's edge. The 100 % bars reach 0.595.
  static let reach = 0.62

  let centre: CanvasPoint
  /// In pixels.
  let radius: Double

  /// Pixels per unit of colour difference.
  var scale: Double { radius / Self.reach }

  init(_ plot: PixelRect) {
    radius = Double(min(plot.width, plot.height)) / 2 - 2
    centre = CanvasPoint(
      (Double(plot.x) + Double(plot.width) / 2).rounded() + 0.5,
      (Double(plot.y) + Double(plot.height) / 2).rounded() + 0.5)
  }

  func position(_ place: Vectorscope.Place) -> CanvasPoint {
    centre + scale * CanvasPoint(place.cb, -place.cr)
  }

  func place(_ point: CanvasPoint) -> Vectorscope.Place {
    let offset = (point - centre) / scale
    return Vectorscope.Place(cb: offset.x, cr: -offset.y)
  }

  /// Returns the direction on the canvas of an angle counterclockwise from +Cb.
  static func direction(_ degrees: Double) -> CanvasPoint {
    CanvasPoint(cos(degrees * .pi / 180), -sin(degrees * .pi / 180))
  }
}
