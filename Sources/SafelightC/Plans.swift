import CSafelight
import Safelight

/// A plan that C holds, ready to render.
final class PlanHandle: Handle, @unchecked Sendable {
  override class var name: String { "plan" }

  private let prepared: InterleavedPlan
  private let input, output: SampleFormat
  /// The colour space and the orientation of pictures.
  private let space: ColorSpace
  private let orientation: Orientation

  var plan: Plan { prepared.plan }
  var resultFormat: SampleFormat { output }

  init(_ recipe: Recipe, like image: Image, format: Int32, space: ColorSpace, by handle: RendererHandle)
    throws
  {
    input = image.format
    output = format == 0 ? image.format.ofResults : try SampleFormat(format)
    guard output.channels > 1 else {
      throw SafelightError(
        .unsupported, "Results are not grey", remedy: "ask for RGB, and take one channel")
    }
    (self.space, orientation) = (image.space, image.orientation)
    let target = PlanOutput(format: output.engine, space: space)
    let renderer = handle.renderer
    var plan = try renderer.plan(recipe, input: image.planInput, output: target, bakes: handle.bakes)
    if plan.denoising != nil, image.hasPixels {
      let measured = try image.planInput.measuringNoise(of: image.buffer())
      plan = try renderer.plan(recipe, input: measured, output: target, bakes: handle.bakes)
    }
    prepared = try InterleavedPlan(renderer.prepare(plan))
  }

  func render(_ picture: Image, into result: Image) throws {
    guard picture.size == plan.input.size, picture.format.number == input.number, picture.space == space,
      picture.orientation == orientation
    else {
      throw SafelightError(
        .invalidValue,
        "The plan is for pictures of another size, format, colour space or orientation: \(plan.input.size) of "
          + "format \(input.number) in \(space.name)",
        remedy: "make a plan for this picture")
    }
    guard result.size == plan.outputSize, result.format.number == output.number else {
      throw SafelightError(
        .invalidValue,
        "The result is \(plan.outputSize) of format \(output.number), its memory is for \(result.size) of format "
          + "\(result.format.number)",
        remedy: "ask the plan for size and format first")
    }
    try prepared.render(picture.samples, into: result.samples)
  }
}

@_cdecl("safelight_plan_create")
public func planCreate(
  _ renderer: OpaquePointer?, _ recipe: OpaquePointer?, _ like: UnsafePointer<safelight_image>?,
  _ format: Int32, _ space: UnsafePointer<CChar>?, _ error: FailurePlace
) -> OpaquePointer? {
  attempt(error) {
    let (renderer, recipe): (RendererHandle, RecipeHandle) = (
      try Pointers.object(renderer), try Pointers.object(recipe)
    )
    let image = try Image(like, needsPixels: false)
    let target = space == nil ? image.space : try Spaces.named(space)
    return Pointers.owned(
      try PlanHandle(recipe.recipe, like: image, format: format, space: target, by: renderer))
  }
}

@_cdecl("safelight_plan_size")
public func planSize(
  _ plan: OpaquePointer?, _ width: UnsafeMutablePointer<Int>?, _ height: UnsafeMutablePointer<Int>?,
  _ error: FailurePlace
) -> Bool {
  succeeds(error) {
    let own: PlanHandle = try Pointers.object(plan)
    width?.pointee = own.plan.outputSize.width
    height?.pointee = own.plan.outputSize.height
  }
}

@_cdecl("safelight_plan_format")
public func planFormat(_ plan: OpaquePointer?) -> Int32 {
  (try? Pointers.object(plan, as: PlanHandle.self).resultFormat.number) ?? 0
}

@_cdecl("safelight_plan_text")
public func planText(_ plan: OpaquePointer?, _ error: FailurePlace) -> UnsafeMutablePointer<CChar>? {
  attempt(error) {
    let own: PlanHandle = try Pointers.object(plan)
    return try Pointers.text("\(own.plan)")
  }
}

@_cdecl("safelight_plan_render")
public func planRender(
  _ plan: OpaquePointer?, _ input: UnsafePointer<safelight_image>?, _ output: UnsafePointer<safelight_image>?,
  _ error: FailurePlace
) -> Bool {
  succeeds(error) {
    let own: PlanHandle = try Pointers.object(plan)
    try own.render(Image(input), into: Image(output))
  }
}

@_cdecl("safelight_plan_destroy")
public func planDestroy(_ plan: OpaquePointer?) { Pointers.release(plan, as: PlanHandle.self) }
