import FilterGraph
import PixelKernels

extension KernelStages {
  /// Groups with the memory that they point to.
  func masked(_ numbers: NumericStage.MaskedNumbers) -> sl_masked {
    let grid = numbers.layout == nil ? nil : nextGrid()
    let groups = numbers.groups.map { kernel($0, grid) }
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

  /// Gains under masks with the memory that they point to.
  func gains(_ numbers: NumericStage.GainNumbers) -> sl_gains {
    let groups = zip(numbers.groups, numbers.gains).map { group, gain in
      var kernel = kernel(group, nil)
      kernel.gain = gain
      return kernel
    }
    var gains = sl_gains()
    gains.groups = kept(groups)
    gains.count = Int32(groups.count)
    if let encoding = numbers.encoding {
      gains.is_encoded = 1
      (gains.decode, gains.encode) = (Self.curve(encoding.decode), Self.curve(encoding.encode))
    }
    return gains
  }

  private func kernel(_ group: NumericStage.MaskedNumbers.Group, _ grid: Int32?) -> sl_masked_group {
    sl_masked_group(
      steps: kept(group.steps.map(kernel)), step_count: Int32(group.steps.count), opacity: group.opacity,
      gain: 1, fields: kept(group.fields.map { field($0, sharing: grid) }),
      field_count: Int32(group.fields.count), stages: kept(group.stages.map(kernel)),
      stage_count: Int32(group.stages.count))
  }

  private func kernel(_ step: NumericStage.MaskStep) -> sl_mask_step {
    var kernel = sl_mask_step()
    kernel.kind = sl_mask_step_kind(step.kind.rawValue)
    let map = step.map
    kernel.map = (map[0], map[1], map[2], map[3], map[4], map[5])
    (kernel.low, kernel.high, kernel.scale, kernel.part) = (step.low, step.high, step.scale, step.part)
    kernel.guide = Int32(step.guide)
    if let shape = step.shape {
      shapes.append(shape)
      kernel.nodes = shape.nodes
      (kernel.width, kernel.height) = (Int32(shape.size.width), Int32(shape.size.height))
    }
    return kernel
  }
}
