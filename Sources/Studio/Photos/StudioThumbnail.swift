import Safelight

/// Small pictures of photos.
enum StudioThumbnail {
  /// Renders the middle of an edited photo as a square.
  ///
  /// - Throws: `SafelightError` if the edit does not fit the photo.
  static func square(_ recipe: Recipe, of photo: ResidentPhoto, edge: Int) throws -> PixelBuffer {
    let full = try photo.size(through: recipe)
    let scale = Double(edge) / Double(min(full.width, full.height))
    let viewport = PhotoViewport(
      size: PixelSize(width: edge, height: edge), zoom: .scale(scale, x: 0.5, y: 0.5))
    return try photo.view(recipe, in: viewport).picture
  }

  /// Renders a stored photo with the edit beside it, to fit into a square box.
  ///
  /// - Throws: `SafelightError` if the photo or its edit cannot be read.
  static func picture(_ path: String, edge: Int, renderer: CPURenderer) throws -> PixelBuffer {
    let box = PixelSize(width: edge, height: edge)
    if RecipeSidecar.exists(forPhoto: path), let recipe = try RecipeSidecar.read(forPhoto: path)?.recipe {
      return try PhotoMiniature.picture(
        path, through: recipe.loadingFiles(besidePhoto: path), edge: edge, renderer: renderer)
    }
    let reader = try PhotoReader(contentsOf: path, scaledToLongEdge: edge)
    let source = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: source)
    try reader.finish()
    let input = try PlanInput(source, orientation: reader.orientation)
    let plan = try renderer.plan(Recipe(), input: input, output: PlanOutput(maximumSize: box))
    return try renderer.render(source, through: plan)
  }
}
