import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@Suite("Lenses of photos", .lensfunIsInstalled)
struct LensEditTests {
  /// A photo as a full-frame camera writes it.
  private func jpeg(_ scratch: Scratch, lens: String? = "EF24-105mm f/4L IS USM") throws -> String {
    var facts = CaptureFacts(camera: "Canon EOS 5D Mark III")
    (facts.make, facts.lens, facts.focalLength, facts.fNumber) = ("Canon", lens, 24, 4)
    try PhotoWriter.write(gradient(120, 80), to: scratch("photo.jpg"), facts)
    return scratch("photo.jpg")
  }

  private func raw(_ scratch: Scratch) throws -> String {
    var file = DNGFile(width: 96, height: 64) { _, _, _ in 0.3 }
    (file.make, file.model, file.lens) = ("Canon", "Canon EOS 5D Mark III", "EF24-105mm f/4L IS USM")
    file.exposure = (time: 100, aperture: 4, focalLength: 24, iso: 100)
    try scratch.write(file.bytes, to: "photo.dng")
    return scratch("photo.dng")
  }

  private func lens(_ recipe: Recipe) -> Lens? { recipe.filters.compactMap { $0 as? Lens }.first }

  @Test("Raws are corrected unless told otherwise, and JPEGs only when told to", .libRawIsInstalled)
  func defaults() throws {
    let scratch = try Scratch()
    let (photo, raw) = (try jpeg(scratch), try raw(scratch))
    #expect(try Edit().resolve(photo).recipe.filters.isEmpty)
    var edit = Edit()
    edit.lens = .automatic
    let asked = try edit.resolve(photo)
    #expect(lens(asked.recipe)?.name.parameterText == "Canon EF 24-105mm f/4L IS USM, 24 mm, f/4")
    let found = try #require(asked.found?.lens)
    #expect(found.distortion && found.vignetting && found.camera == "Canon EOS 5D Mark III")
    #expect(
      found.summary
        == "lens: Canon EF 24-105mm f/4L IS USM, 24 mm, f/4 (“EF24-105mm f/4L IS USM” on a Canon EOS 5D Mark III): distortion and vignetting"
    )
    #expect(asked.found?.lines == [found.summary])
    #expect(lens(try Edit().resolve(raw).recipe) != nil)
    // With and without a look at the pixels.
    #expect(lens(try Edit(auto: [.exposure]).resolve(raw).recipe) == lens(try Edit().resolve(raw).recipe))
    edit.lens = .off
    let off = try edit.resolve(raw)
    #expect(off.recipe.filters.isEmpty && off.found == nil)
  }

  @Test("A recipe keeps the lens that it has, until another is asked for; numbers by flags come last")
  func recipes() throws {
    let scratch = try Scratch()
    let photo = try jpeg(scratch)
    let own = Lens(LensProfile(distortion: [1.01, 0, -0.02]), name: "my own")
    let base = Recipe(order: .listed, filters: [Exposure(stops: 0.2), own])
    #expect(lens(try Edit().resolve(photo, onto: base).recipe) == own)
    var edit = Edit()
    edit.lens = .automatic
    let found = try edit.resolve(photo, onto: base).recipe
    #expect(found.filters.count == 2 && found.filters[0] is Lens)
    #expect((found.filters[0] as? Lens)?.name.parameterText.hasPrefix("Canon") == true)
    edit.lens = .off
    #expect(lens(try edit.resolve(photo, onto: base).recipe) == nil)
    #expect(lens(try edit.recipe(onto: base)) == nil)
    edit.lens = .automatic
    edit.values = ["lens-vignetting": "none"]
    let mixed = try #require(lens(edit.resolve(photo).recipe))
    #expect(mixed.vignetting == .none && mixed.distortion != .none)
  }

  @Test("An unknown lens is told with near ones, and by name it is an error")
  func unknown() throws {
    let scratch = try Scratch()
    let photo = try jpeg(scratch, lens: nil)
    var edit = Edit()
    edit.lens = .automatic
    let resolved = try edit.resolve(photo)
    #expect(resolved.recipe.filters.isEmpty)
    #expect(resolved.found?.lines == ["no lens correction: the photo does not name its lens"])
    edit.lens = .named("Canon EF 24-105mm f/4L IS USB")
    do {
      _ = try edit.resolve(photo)
      Issue.record("found")
    } catch {
      #expect("\(error)".contains("such as “Canon EF 24-105mm f/4L IS USM”"), "\(error)")
    }
    edit.lens = .named("Canon EF 24-105mm f/4L IS USM")
    #expect(lens(try edit.resolve(photo).recipe) != nil)
    #expect(throws: SafelightError.self) { try LensChoice("--") }
  }
}
