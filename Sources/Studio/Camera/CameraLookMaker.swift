import Safelight

/// Makes small pictures of a frame in each look. Used by one thread.
final class CameraLookMaker {
  private let renderer: CPURenderer
  private let encoder: Monitor<JPEGFrameEncoder>
  private let bakes = BakeCache(capacity: 128)
  /// Of the newest request: the plan of each look, and what frames they are for.
  private var plans: [(preset: String?, prepared: any PreparedPlan)] = []
  private var plannedFor: (version: Int, input: PlanInput)?
  /// The newest frame, reduced, so that each look has few pixels to read.
  private var reduction: (any PreparedPlan)?
  private var reductionInput: PlanInput?

  init(_ renderer: CPURenderer, _ encoder: Monitor<JPEGFrameEncoder>) {
    (self.renderer, self.encoder) = (renderer, encoder)
  }

  /// Releases memory while no small pictures are wanted.
  func forget() { (plans, plannedFor, reduction, reductionInput) = ([], nil, nil, nil) }

  /// Sends the pictures.
  ///
  /// - Parameter isWanted: whether the page still waits for them.
  func send(_ looks: CameraAside.Looks, of frame: Frame, while isWanted: () -> Bool) {
    do {
      let small = try reduced(frame, to: looks.size)
      for index in looks.recipes.indices {
        guard isWanted() else { return }
        let (preset, _) = looks.recipes[index]
        let picture = try picture(at: index, of: looks, small)
        StudioPicture.blackenTransparency(of: picture)
        let jpeg = try encoder.update { try $0.encode(picture) { Array($0) } }
        looks.peer.send(
          "thumbnail",
          [
            "kind": .string("look"), "photo": .string(CameraRequest.photo), "preset": .string(preset ?? ""),
            "width": .number(picture.width), "height": .number(picture.height),
          ], payload: [jpeg])
      }
    } catch {
      looks.peer.send(error, photo: CameraRequest.photo)
    }
  }

  /// Returns the frame, upright, with a short edge of twice the pictures' at most.
  private func reduced(_ frame: Frame, to size: Int) throws -> PixelBuffer {
    let input = try frame.planInput
    let upright = frame.orientation.applied(to: frame.buffer.size)
    let scale = min(1, 2 * Double(size) / Double(min(upright.width, upright.height)))
    let box = PixelSize(
      width: max(1, Int((Double(upright.width) * scale).rounded())),
      height: max(1, Int((Double(upright.height) * scale).rounded())))
    if reductionInput != input || reduction?.plan.output.maximumSize != box {
      let plan = try renderer.plan(
        Recipe(), input: input, output: PlanOutput(maximumSize: box),
        options: PlanOptions(usesOneThread: true))
      (reduction, reductionInput) = (renderer.prepare(plan), input)
    }
    guard let reduction else { return frame.buffer }
    let small = try PixelBuffer(
      size: reduction.plan.outputSize, format: .rgba8, alpha: reduction.plan.outputAlpha)
    try reduction.render(frame.buffer, into: small)
    return small
  }

  /// Renders the middle of the frame in one look, as a square.
  private func picture(at index: Int, of looks: CameraAside.Looks, _ small: PixelBuffer) throws -> PixelBuffer
  {
    let input = try PlanInput(small)
    if plannedFor?.version != looks.version || plannedFor?.input != input {
      (plans, plannedFor) = ([], (looks.version, input))
    }
    if plans.count == index {
      let (preset, recipe) = looks.recipes[index]
      plans.append((preset, try prepared(recipe, input, looks.size)))
    }
    let prepared = plans[index].prepared
    let picture = try PixelBuffer(
      size: prepared.plan.outputSize, format: .rgba8, alpha: prepared.plan.outputAlpha)
    try prepared.render(small, into: picture)
    return picture
  }

  private func prepared(_ recipe: Recipe, _ input: PlanInput, _ edge: Int) throws -> any PreparedPlan {
    // Rectangles are in pixels of whole frames, which these are not: what is cropped is left whole.
    var recipe = recipe
    recipe.filters.removeAll { $0 is Crop || $0 is Resize }
    recipe = recipe.then(Recipe(filters: [Crop(.square)]))
    let plan = try renderer.plan(
      recipe, input: input, output: PlanOutput(maximumSize: PixelSize(width: edge, height: edge)),
      options: PlanOptions(bakes: bakes, usesOneThread: true))
    return renderer.prepare(plan)
  }
}
