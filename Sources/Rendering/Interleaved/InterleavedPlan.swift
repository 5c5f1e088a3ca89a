import FilterGraph
import FrameCore

/// A prepared plan for pictures in somebody's memory: see `InterleavedPicture`.
///
/// Where samples have to be repacked, that is done for a block at a time, by the thread that renders it, so that no copy
/// of the whole picture is made. Only noise reduction, projections and other renderers need one.
package final class InterleavedPlan: Sendable {
  private let prepared: any PreparedPlan
  /// Nil for renderers that need whole pictures.
  private let blockwise: (plan: CPUPlan, blocks: RenderedBlocks)?
  /// The memory of blocks, or of whole results.
  private let sources, results: PixelBufferPool
  /// That of whole pictures.
  private let copies: PixelBufferPool
  private let inputTags, outputTags: ColorTags

  package var plan: Plan { prepared.plan }

  /// - Parameter prepared: as a renderer has prepared it, for pictures of any light.
  /// - Throws: `SafelightError` if the plan's results are not RGBA.
  package init(_ prepared: any PreparedPlan) throws {
    let plan = prepared.plan
    try plan.checkRendersRows()
    self.prepared = prepared
    (inputTags, outputTags) = (try plan.input.space.tags, try plan.outputTags)
    blockwise = (prepared as? CPUPlan).map { ($0, RenderedBlocks(plan)) }
    // Several threads may render at once, each through blocks of its own.
    let kept = max(blockwise?.plan.pool.threads ?? 2, ProcessorCount.usable)
    copies = try PixelBufferPool(size: plan.input.size, format: plan.input.format, keeping: 1)
    sources = try PixelBufferPool(
      size: blockwise?.blocks.sourceSize ?? PixelSize(width: 1, height: 1), format: plan.input.format,
      keeping: kept)
    results = try PixelBufferPool(
      size: blockwise?.blocks.resultSize ?? plan.outputSize, format: plan.output.format, keeping: kept)
  }

  /// Renders a picture into memory for the result, which may overlap that of the picture: then the picture is copied
  /// first.
  ///
  /// - Precondition: both have the plan's sizes and formats, and the result is not grey.
  /// - Throws: `SafelightError` if memory is short.
  package func render(_ picture: InterleavedPicture, into result: InterleavedPicture) throws {
    precondition(picture.size == plan.input.size && picture.format == plan.input.format, "another picture")
    check(result)
    if picture.overlaps(result) { return try render(copy(of: picture), into: result) }
    if let source = try picture.shared(tags: inputTags, alpha: plan.input.alpha) {
      return try render(source, into: result)
    }
    guard let (cpu, _) = blockwise, plan.denoising == nil, plan.projected == nil || plan.downsamples else {
      return try render(copy(of: picture), into: result)
    }
    let light = try light(of: picture, for: cpu)
    defer { if let light { cpu.compiled.giveBack(light) } }
    guard let downsampled = try downsampled(picture, through: cpu) else {
      return try renderBlocks(of: .repacked(picture, sources), light: light, into: result)
    }
    defer { cpu.compiled.giveBack(downsampled) }
    try renderBlocks(of: .whole(downsampled), light: light, into: result)
  }

  /// As `render(_:into:)`, of a picture in the engine's own memory.
  package func render(_ source: PixelBuffer, into result: InterleavedPicture) throws {
    check(result)
    if let output = try result.shared(tags: outputTags, alpha: plan.outputAlpha) {
      return try prepared.render(source, into: output)
    }
    guard let (cpu, _) = blockwise else {
      let output = try results.makeBuffer(tags: outputTags, alpha: plan.outputAlpha)
      try prepared.render(source, into: output)
      return result.write(result.whole, from: output)
    }
    try plan.check(source)
    let light = cpu.compiled.takeLight(of: source, history: nil, on: cpu.pool)
    defer { if let light { cpu.compiled.giveBack(light) } }
    try cpu.withSampledPicture(of: source) {
      try renderBlocks(of: .whole($0), light: light, into: result)
    }
  }

  private func check(_ result: InterleavedPicture) {
    precondition(
      result.size == plan.outputSize && result.format == plan.output.format && result.channels > 1,
      "another result")
  }

  private func renderBlocks(
    of source: BlockWork.Place, light: LightMemory?, into result: InterleavedPicture
  ) throws {
    guard let (cpu, blocks) = blockwise else { return }
    let output = try result.shared(tags: outputTags, alpha: plan.outputAlpha)
    try BlockWork(
      cpu, blocks, light: light, from: source, into: output.map { .whole($0) } ?? .repacked(result, results)
    ).run()
  }

  private func copy(of picture: InterleavedPicture) throws -> PixelBuffer {
    let copy = try copies.makeBuffer(tags: inputTags, alpha: plan.input.alpha)
    guard let pool = blockwise?.plan.pool else {
      picture.copy(picture.whole, into: copy)
      return copy
    }
    let bands = (picture.size.height + RowWindow.step - 1) / RowWindow.step
    pool.forEach(bands) { band in
      let rows = band * RowWindow.step..<min((band + 1) * RowWindow.step, picture.size.height)
      picture.copy(Region(columns: 0..<picture.size.width, rows: rows), into: copy.band(rows: rows))
    }
    return copy
  }

  // MARK: Before the blocks

  /// Passes the picture through a few rows of memory.
  private func forRows(
    of picture: InterleavedPicture, step: Int, _ body: (PixelBuffer, _ count: Int) throws -> Void
  ) throws {
    let size = picture.size
    let band = try PixelBuffer(
      size: PixelSize(width: size.width, height: min(size.height, step)), format: picture.format,
      tags: inputTags, alpha: plan.input.alpha)
    for top in stride(from: 0, to: size.height, by: step) {
      let rows = top..<min(top + step, size.height)
      picture.copy(Region(columns: 0..<size.width, rows: rows), into: band)
      try body(band, rows.count)
    }
  }

  /// The picture as the plan downsamples it; nil if it does not.
  private func downsampled(_ picture: InterleavedPicture, through cpu: CPUPlan) throws -> PixelBuffer? {
    guard let downsample = cpu.compiled.downsample else { return nil }
    let memory =
      try cpu.compiled.memory.takeDownsampledPicture()
      ?? PixelBuffer(
        size: downsample.outputSize, format: downsample.outputFormat, tags: inputTags, alpha: plan.input.alpha
      )
    let downsampling = CPURowDownsampling(cpu, downsample, into: memory)
    try forRows(of: picture, step: cpu.pool.threads == 1 ? 16 : RowWindow.step) {
      try downsampling.append($0, rows: $1)
    }
    return try downsampling.finishedPicture()
  }

  /// The light around the pixels of a picture; nil if the plan needs none.
  private func light(of picture: InterleavedPicture, for cpu: CPUPlan) throws -> LightMemory? {
    guard let compiled = cpu.compiled.light else { return nil }
    let light = cpu.compiled.memory.takeLight() ?? LightMemory(compiled)
    guard compiled.needsPicture else {
      light.show(film: 0)
      return light
    }
    let proxy = try LightProxy(picture, input: plan.input, isFine: plan.hasFineLight, on: cpu.pool)
    compiled.make(light, of: proxy, on: cpu.pool)
    return light
  }
}
