import FilterGraph
import PixelKernels

extension KernelStages {
  /// Groups with the memory that they point to.
  func masked(_ numbers: NumericStage.MaskedNumbers) -> sl_masked {
    let grid = numbers.layout == nil ? nil : nextGrid()
    let groups = numbers.groups.map { group in
      sl_masked_group(
        steps: kept(group.steps.map(kernel)), step_count: Int32(group.steps.count), opacity: group.opacity,
        fields: kept(group.fields.map { field($0, sharing: grid) }), field_count: Int32(group.fields.count),
        stages: kept(group.stages.map(kernel)), stage_count: Int32(group.stages.count))
    }
    var masked = sl_masked()
    masked.groups = kept(groups)
    masked.count = Int32(groups.count)
    masked.measures_colors = numbers.measuresColors ? 1 : 0
    masked.grid = grid ?? 0
    (masked.measures_light, masked.follows_edges) = (numbers.hasFields ? 1 : 0, numbers.followsEdges ? 1 : 0)
    masked.brightness = Self.kernel(numbers.brightness)
    Self.copy(numbers.toLMS, to: &masked.to_lms)
    Self.copy(numbers.labFromRoots, to: &masked.lab_from_roots)
    return masked
  }

  private func kernel(_ step: NumericStage.MaskStep) -> sl_mask_step {
    var kernel = sl_mask_step()
    kernel.kind = sl_mask_step_kind(step.kind.rawValue)
    let map = step.map
    kernel.map = (map[0], map[1], map[2], map[3], map[4], map[5])
    (kernel.low, kernel.high, kernel.scale) = (step.low, step.high, step.scale)
    kernel.guide = Int32(step.guide)
    if let shape = step.shape {
      shapes.append(shape)
      kernel.nodes = shape.nodes
      (kernel.width, kernel.height) = (Int32(shape.size.width), Int32(shape.size.height))
    }
    return kernel
  }
}
