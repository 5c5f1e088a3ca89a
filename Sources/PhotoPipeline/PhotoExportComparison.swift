import FilterGraph
import Filters
import FrameCore
import Rendering

extension PhotoExport {
  /// Returns the before/after picture of an edit. It keeps within `maximumSize`, though it may show two pictures
  /// side by side.
  ///
  /// - Parameters:
  ///   - plan: the plan of the edit.
  ///   - proxy: the source's, if the plan has local light.
  /// - Throws: `SafelightError(.invalidValue)` if not even the smallest two pictures fit into `maximumSize`; also
  ///   whatever rendering and `Comparison` throw.
  func compare(
    _ options: ComparisonOptions, _ source: PixelBuffer, plan: Plan, recipe: Recipe,
    litBy proxy: LightProxy?, renderer: any Renderer
  ) throws -> PixelBuffer {
    let sides = try sides(options, plan: plan, recipe: recipe, renderer: renderer)
    let original = try renderer.render(source, through: sides.original)
    try cancellation?.check()
    let edited: PixelBuffer
    if let proxy, sides.edited.hasLocalLight {
      edited = try sides.edited.makeOutput()
      try renderer.prepare(sides.edited).lit(by: proxy).render(source, into: edited)
    } else {
      edited = try renderer.render(source, through: sides.edited)
    }
    try cancellation?.check()
    return try Comparison(original, edited, layout: options.layout, labels: options.labels).render()
  }

  /// Returns the plans of both pictures.
  private func sides(
    _ options: ComparisonOptions, plan: Plan, recipe: Recipe, renderer: any Renderer
  ) throws -> (original: Plan, edited: Plan) {
    var (edited, box) = (plan, plan.outputSize)
    while true {
      let original = try self.original(options, beside: edited, recipe: recipe, renderer: renderer)
      let size = Comparison.size(of: original.outputSize, edited.outputSize, layout: options.layout)
      guard let limit = maximumSize, !size.fits(into: limit) else { return (original, edited) }
      guard box.longEdge > 1 else {
        throw SafelightError(
          .invalidValue,
          "Before and after side by side take at least \(size) pixels, but \(limit) are allowed",
          remedy: "allow more, or choose another layout")
      }
      // The gap between the pictures has its own width, so this may take a few steps.
      let scale = min(
        Double(limit.width) / Double(size.width), Double(limit.height) / Double(size.height))
      func reduced(_ edge: Int) -> Int { max(1, min(edge - 1, Int(Double(edge) * scale))) }
      box = PixelSize(width: reduced(box.width), height: reduced(box.height))
      var output = plan.output
      output.maximumSize = box
      edited = try renderer.plan(recipe, input: plan.input, output: output)
    }
  }

  private func original(
    _ options: ComparisonOptions, beside edited: Plan, recipe: Recipe, renderer: any Renderer
  ) throws -> Plan {
    var (before, output) = (recipe.geometryOnly, edited.output)
    if options.geometry == .original {
      // An original in its own geometry is reduced to the height of a smaller edit, so that both have equal
      // weight.
      let upright = edited.input.orientation.applied(to: edited.input.size)
      let scale = min(1, Double(edited.outputSize.height) / Double(upright.height))
      before = Recipe(filters: [
        Resize(longEdge: max(1, Int((Double(upright.longEdge) * scale).rounded())))
      ])
      output.maximumSize = nil
    }
    return try renderer.plan(before, input: edited.input, output: output)
  }
}
