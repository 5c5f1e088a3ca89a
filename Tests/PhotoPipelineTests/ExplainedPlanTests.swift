import LibraryTestSupport
import Safelight
import Testing

@testable import PhotoPipeline

@Suite("The plan that is explained is the plan that runs")
struct ExplainedPlanTests {
  private static let files: [(name: String, bits: Int)] = [
    ("a.jpg", 8), ("a.png", 8), ("b.png", 16), ("a.tiff", 8), ("b.tiff", 16),
  ]
  private static let formats: [PhotoFileFormat] = [.jpeg, .png, .tiff]

  /// Edits that change size, colour and nothing.
  private static let recipes = [
    Recipe(), Recipe { Exposure(stops: 0.4) },
    Recipe {
      Straighten(2)
      Saturation(20)
    },
  ]

  private static func exports(_ format: PhotoFileFormat) -> [PhotoExport] {
    var plain = PhotoExport()
    plain.format = format
    var (smaller, wider, compared) = (plain, plain, plain)
    smaller.maximumSize = PixelSize(width: 20, height: 20)
    wider.colorSpace = .displayP3
    compared.comparison = PhotoExport.ComparisonOptions(layout: .split(at: 0.5), labels: false)
    return [plain, smaller, wider, compared]
  }

  @Test("for every depth and format of the photo and of the result", arguments: files, formats)
  func everyFormat(file: (name: String, bits: Int), format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    try scratch.save(try gradient(48, 32, format: file.bits == 16 ? .rgba16 : .rgba8), as: file.name)
    let header = try PhotoHeader.read(scratch(file.name))
    #expect(header.bitsPerSample == file.bits)
    let renderer = CPURenderer(threads: 1)
    for export in Self.exports(format) {
      for recipe in Self.recipes {
        let explained = try export.plan(recipe, for: header, renderer: renderer)
        var run = export
        run.overwrite = true
        // A comparison may shrink its sides so that both fit; here there is no bound.
        let report = try run.run(
          scratch(file.name), through: recipe, to: scratch("out.\(format.pathExtensions[0])"),
          renderer: renderer)
        #expect(explained == report.plan, "\(explained)\n\(report.plan)")
        let staysDeep = file.bits == 16 && format != .jpeg && export.comparison == nil
        #expect(report.plan.output.format == (staysDeep ? .rgba16 : .rgba8))
        #expect(report.plan.dithers == (file.bits == 16 && !staysDeep))
      }
    }
  }

  @Test("A photo's own format decides where none is asked for, and JPEG where it cannot be written")
  func ownFormat() throws {
    let scratch = try Scratch()
    try scratch.save(try gradient(8, 8, format: .rgba16), as: "a.png")
    var header = try PhotoHeader.read(scratch("a.png"))
    #expect(try PhotoExport().plan(Recipe(), for: header).output.format == .rgba16)
    header.fileFormat = nil
    #expect(try PhotoExport().plan(Recipe(), for: header).output.format == .rgba8)
  }

  @Test("A picture in memory keeps its depth by the same rule")
  func memory() throws {
    let scratch = try Scratch()
    let deep = try gradient(8, 8, format: .rgba16)
    for (name, bits) in [("a.png", 16), ("a.tiff", 16), ("a.jpg", 8)] {
      try PhotoExport().write(deep, to: scratch(name))
      #expect(try PhotoHeader.read(scratch(name)).bitsPerSample == bits, "\(name)")
    }
  }
}
