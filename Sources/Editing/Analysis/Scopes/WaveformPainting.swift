import FrameAnalysis
import FrameCore
import Rendering

extension ScopePainter {
  /// The colour of the luma trace: pale green, like P31 phosphor.
  private static let lumaLight = SIMD3<Float>(0.74, 1.0, 0.80)

  func drawWaveform(_ waveform: Waveform, _ panel: ScopePanel) {
    drawTitle(panel.title, panel)
    canvas.fill(panel.plot, Self.plotGround)
    drawPercentLines(panel.plot)
    drawTrace(waveform, light: Self.lumaLight, panel.plot)
  }

  func drawParade(_ channels: [Waveform]) {
    let whole = ScopeSheet.parade
    drawTitle(whole.title, whole)
    for index in channels.indices { canvas.fill(ScopeSheet.parade(index).plot, Self.plotGround) }
    drawPercentLines(whole.plot)
    for (index, waveform) in channels.enumerated() {
      drawTrace(waveform, light: Self.channelLight[index], ScopeSheet.parade(index).plot)
    }
  }

  /// Draws counts as light: columns side by side across the plot's width, levels upwards from black.
  private func drawTrace(_ waveform: Waveform, light: SIMD3<Float>, _ plot: PixelRect) {
    let levels = Waveform.levels
    let top = Self.row(of: 1, plot)
    let rowsPerLevel = (Self.row(of: 0, plot) - top) / Double(levels - 1)
    // If a level is less than a row high, spread its light over its share of the row instead of skipping it.
    var brightness = [Float](repeating: 0, count: levels)
    for x in 0..<plot.width {
      let column = x * waveform.columns / plot.width
      let total = Float(waveform.columnCounts[column])
      guard total > 0 else { continue }
      for level in 0..<levels {
        let count = waveform.counts[level * waveform.columns + column]
        brightness[level] = count > 0 ? Self.brightness(density: Float(count) * Float(levels) / total) : 0
      }
      for y in plot.y..<plot.maxY {
        // Interpolate the level at the centre of this row.
        let position = Double(levels - 1) - (Double(y) + 0.5 - top) / rowsPerLevel
        let below = Int(position.rounded(.down))
        let part = Float(position - Double(below))
        let low = brightness.indices.contains(below) ? brightness[below] : 0
        let high = brightness.indices.contains(below + 1) ? brightness[below + 1] : 0
        let value = low + (high - low) * part
        guard value > 0 else { continue }
        add(Self.glow(light, value), x: plot.x + x, y: y)
      }
    }
  }

  /// Returns the trace's colour at a brightness in 0…1, shifting towards white at the top.
  static func glow(_ light: SIMD3<Float>, _ brightness: Float) -> SIMD3<Float> {
    let white = brightness * brightness * 0.35
    return brightness * (light + white * (SIMD3(repeating: 1) - light))
  }
}
