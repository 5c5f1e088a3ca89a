import FrameAnalysis
import FrameCore
import Rendering

extension ScopePainter {
  /// Draws the histogram of the signal: red, green and blue add like light, so that what all three share is white;
  /// luma is a line.
  ///
  /// - Parameters:
  ///   - luma: 256 counts.
  ///   - channels: 256 counts each for R′, G′ and B′.
  func drawHistogram(luma: [UInt32], channels: [[UInt32]], _ panel: ScopePanel) {
    drawTitle(panel.title, panel)
    let plot = panel.plot
    canvas.fill(plot, Self.plotGround)
    drawSignalAxis(plot)
    let tallest = Self.scale(channels + [luma])
    let extent = Float(plot.height - 10)
    for (channel, bins) in channels.enumerated() {
      let light = Self.channelLight[channel]
      var only = SIMD3<Float>()
      only[channel] = 1
      // Mostly pure, so that three add up to white; some of the trace's own light makes single channels legible.
      let tint = 0.62 * (0.82 * only + 0.18 * light)
      for x in 0..<plot.width {
        let height = min(Self.value(of: bins, at: x, width: plot.width) / tallest, 1) * extent
        fillColumn(x: plot.x + x, from: plot.maxY, height: height, tint)
      }
    }
    drawOutline(luma, plot, tallest: tallest, extent: extent)
  }

  /// Draws lines at 0, 25, 50, 75 and 100 % of the signal, with numbers below.
  private func drawSignalAxis(_ plot: PixelRect) {
    for percent in stride(from: 0, through: 100, by: 25) {
      let x = Double(plot.x) + (Double(percent) / 100 * Double(plot.width - 1)).rounded() + 0.5
      line(
        from: CanvasPoint(x, Double(plot.y)), to: CanvasPoint(x, Double(plot.maxY)),
        strength: percent % 100 == 0 ? 0.35 : 0.2)
      let text = "\(percent)"
      let width = Self.numberLettering.width(of: text)
      let left = percent == 0 ? plot.x : percent == 100 ? plot.maxX - width : Int(x) - width / 2
      canvas.draw(text, Self.numberLettering, x: left, y: plot.maxY + 12, Self.number)
    }
  }

  /// Returns the count that reaches the top. Narrow peaks may extend beyond the plot, so that a plain background
  /// does not flatten the rest. The end bins, where clipped pixels accumulate, count only if the others are empty.
  private static func scale(_ all: [[UInt32]]) -> Float {
    let inner = all.flatMap { $0.dropFirst().dropLast().filter { $0 > 0 } }.sorted()
    guard let tallest = inner.last else { return Float(max(all.joined().max() ?? 1, 1)) }
    let usual = inner[(inner.count - 1) * 98 / 100]
    return min(Float(tallest), 1.6 * Float(usual))
  }

  /// Returns the count at a column of the plot, interpolated between neighbouring bins.
  private static func value(of bins: [UInt32], at x: Int, width: Int) -> Float {
    let position = Float(x) / Float(max(width - 1, 1)) * Float(bins.count - 1)
    let below = min(Int(position), bins.count - 2)
    let part = position - Float(below)
    return Float(bins[below]) + (Float(bins[below + 1]) - Float(bins[below])) * part
  }

  /// Adds light to a column of pixels, upwards from a row's lower edge, with partial coverage of the last pixel.
  private func fillColumn(x: Int, from bottom: Int, height: Float, _ light: SIMD3<Float>) {
    let whole = Int(height)
    for step in 0..<whole { add(light, x: x, y: bottom - 1 - step) }
    add((height - Float(whole)) * light, x: x, y: bottom - 1 - whole)
  }

  private func drawOutline(_ bins: [UInt32], _ plot: PixelRect, tallest: Float, extent: Float) {
    func point(_ x: Int) -> CanvasPoint {
      let height = min(Self.value(of: bins, at: x, width: plot.width) / tallest, 1) * extent
      return CanvasPoint(Double(plot.x + x) + 0.5, Double(plot.maxY) - Double(height))
    }
    for x in 1..<max(plot.width, 1) {
      canvas.stroke(from: point(x - 1), to: point(x), width: 1.4, CanvasColor(gray: 0xF4), opacity: 0.75)
    }
  }
}
