import FilterGraph
import FrameCore
import PixelKernels

/// What the parts of light grids are worked out in. Parts that may be made at the same time have their own.
final class LightScratch {
  /// Haze: the guide, the dark channel, the windows that it is the least of, and the filter.
  struct Haze {
    let guide, dark, windows: UnsafeMutablePointer<Float>
    let lines: GuidedFilter
  }
  /// For both filters of local tone.
  let surroundings: [GuidedFilter]
  let haze: Haze
  let glow: UnsafeMutablePointer<Float>
  /// Fine nodes: the filter, and its lines before they become detail.
  let fine: GuidedFilter
  let means: UnsafeMutablePointer<Float>
  /// The shape that each mask that follows edges was drawn with, by fields.
  let drawn: [[UnsafeMutablePointer<Float>]]
  /// Counts of levels, for the light of haze.
  let bins: UnsafeMutablePointer<Int32>
  private let memory: [UnsafeMutablePointer<Float>]

  init(_ coarse: PixelSize, fine fineSize: PixelSize?, _ fields: [Field]) {
    let nothing = PixelSize(width: 0, height: 0)
    func size(if isNeeded: (Field) -> Bool) -> PixelSize {
      fields.contains(where: isNeeded) ? coarse : nothing
    }
    var memory: [UnsafeMutablePointer<Float>] = []
    func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
      let floats = UnsafeMutablePointer<Float>.allocate(capacity: count)
      floats.initialize(repeating: 0, count: count)
      memory.append(floats)
      return floats
    }
    func windows(_ size: PixelSize) -> UnsafeMutablePointer<Float> {
      floats(sl_light_scratch(Int32(size.width), Int32(size.height)))
    }
    let lit = size { $0.local != nil }
    surroundings = [LightGrid.Filter.wide, .close].map { GuidedFilter(lit, [$0], bands: 1) }
    let hazy = size { $0.haze != nil }
    haze = Haze(
      guide: floats(hazy.pixelCount), dark: floats(hazy.pixelCount), windows: windows(hazy),
      lines: GuidedFilter(hazy, [HazeGrid.filter], bands: 1))
    glow = windows(size { $0.glow != nil })
    let fineSize = fineSize ?? nothing
    let guides = fields.flatMap(\.guides)
    fine = GuidedFilter(
      fineSize, [FineTexture.filter] + guides.map(\.filter), bands: CompiledLight.bandCount)
    means = floats(fields.contains { $0.texture != nil } ? 2 * fineSize.pixelCount : 0)
    drawn = fields.map { field in
      field.guides.map { guide in
        let plane = floats(fineSize.pixelCount)
        for node in 0..<fineSize.pixelCount { plane[node] = Float(guide.shape.nodes[node]) * (1 / 255) }
        return plane
      }
    }
    bins = .allocate(capacity: AmbientMeasurement.levels)
    bins.initialize(repeating: 0, count: AmbientMeasurement.levels)
    self.memory = memory
  }

  deinit {
    for floats in memory { floats.deallocate() }
    bins.deallocate()
  }
}
