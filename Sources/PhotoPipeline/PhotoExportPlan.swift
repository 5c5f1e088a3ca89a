import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension PhotoExport {
  /// Returns the output of the plan for a picture, and the tags of its file. Everything that writes photos, and
  /// everything that explains what would be written, asks this one rule.
  ///
  /// Samples keep 16 bits if the picture has more than 8, the file format can store 16, and no comparison is drawn; they
  /// become 16 bits for a space in which 8 are few. Otherwise they become 8 bits, dithered if they had more.
  ///
  /// - Parameters:
  ///   - samples: the format of the picture's samples.
  ///   - tags: the picture's colour tags.
  ///   - format: the format of the file to be written.
  /// - Throws: `SafelightError` if the tags hold a profile that cannot be used.
  package func planOutput(
    from samples: PixelFormat, tags: ColorTags, writing format: PhotoFileFormat
  ) throws -> (output: PlanOutput, tags: ColorTags) {
    let (space, fileTags) = try colorSpace.resolve(original: tags)
    let isDeep =
      (samples.bitsPerSample > 8 || colorSpace.isWide) && comparison == nil && format.bitDepths.contains(16)
    var output = PlanOutput(
      format: isDeep ? .rgba16 : .rgba8, space: space, maximumSize: maximumSize, interpolation: interpolation)
    output.proof = proof
    return (output, fileTags)
  }

  /// Returns a plan that was made earlier, if it is for this input and output; the format of the samples may differ,
  /// since it does not change what filters lower to.
  func planned(_ draft: Plan?, from input: PlanInput, to output: PlanOutput) -> Plan? {
    guard let draft = draft?.exact(as: output.format), draft.input == input, draft.output == output else {
      return nil
    }
    return draft
  }

  /// Returns the format of the file written for a photo: `format` if it is set, else the photo's own, else JPEG.
  package func fileFormat(for header: PhotoHeader) -> PhotoFileFormat { format ?? header.fileFormat ?? .jpeg }

  /// Returns the plan that `run` executes for a photo with this header.
  ///
  /// The file's format is `format`, or the photo's own if that is nil.
  ///
  /// - Parameter optimized: false leaves the exact stages, which is faster if only sizes matter.
  /// - Throws: as `Plan.init`.
  public func plan(
    _ recipe: Recipe, for header: PhotoHeader, renderer: any Renderer = CPURenderer(), optimized: Bool = true
  ) throws -> Plan {
    let input = try header.planInput
    let (output, _) = try planOutput(from: input.format, tags: header.tags, writing: fileFormat(for: header))
    guard optimized else { return try Plan(recipe, input: input, output: output, optimized: false) }
    return try renderer.plan(recipe, input: input, output: output)
  }
}
