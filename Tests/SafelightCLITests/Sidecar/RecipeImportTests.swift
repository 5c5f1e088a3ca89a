import LibraryTestSupport
import Safelight
import Testing

@Suite("recipe import")
struct RecipeImportTests {
  private static let xmp = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:ProcessVersion="11.0"
      crs:Exposure2012="+0.50" crs:Contrast2012="+10" crs:AutoLateralCA="1" crs:HasCrop="True" crs:CropLeft="0.25"
      crs:CropRight="0.75" crs:CropTop="0" crs:CropBottom="1" APPLIED/></rdf:RDF></x:xmpmeta>
    """

  private static func packet(applied: Bool = false) -> String {
    xmp.replacing("APPLIED", with: applied ? #"crs:AlreadyApplied="True""# : "")
  }

  @Test("An .xmp file gives the photo beside it an edit, and what is not the same is told")
  func sidecar() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(48, 32), as: "a.png")
    try scratch.write(Self.packet(), to: "a.xmp")
    let run = try Program.run(["recipe", "import", "a.xmp"], in: scratch)
    #expect(run.exitCode == 0)
    #expect(run.output == "a.png  --crop 12,0,24,32 --exposure 0.5 --contrast 10\n")
    #expect(
      run.errors == """
        Warning: a.xmp: approximated with Safelight's own curves: Contrast2012 +10.
        Warning: a.xmp: not used: AutoLateralCA 1 (colour fringes are not removed here).

        """)
    let sidecar = try RecipeSidecar.require(forPhoto: scratch("a.png"))
    #expect(sidecar.history.last?.action == .imported && sidecar.history.last?.source == "a.xmp")
  }

  @Test(
    "Settings in a photo are for itself, or for another one; those in its pixels already only for another")
  func embedded() throws {
    let scratch = try Scratch()
    for (name, applied) in [("a.jpg", false), ("b.jpg", true)] {
      try scratch.save(
        gradient(48, 32), as: name, metadata: PhotoMetadata(xmp: Array(Self.packet(applied: applied).utf8)))
    }
    let own = try Program.run(["recipe", "import", "a.jpg", "--json"], in: scratch)
    #expect(own.exitCode == 0, "\(own.errors)")
    let report = try JSONReport.list(own.output)[0]
    #expect(report["flags"] as? String == "--crop 12,0,24,32 --exposure 0.5 --contrast 10")
    func names(_ list: String) -> [String]? {
      (report[list] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    }
    #expect(names("exact") == ["CropTop", "CropLeft", "CropBottom", "CropRight", "Exposure2012"])
    #expect(names("approximate") == ["Contrast2012"])
    #expect(names("ignored") == ["AutoLateralCA"])

    let applied = try Program.run(["recipe", "import", "b.jpg"], in: scratch)
    #expect(applied.exitCode == 1)
    #expect(
      applied.errors
        == "Error: The settings in b.jpg are already applied to its pixels; import them from the original, or name the photo to apply them to.\n"
    )
    #expect(try Program.run(["recipe", "import", "b.jpg", "a.jpg"], in: scratch).exitCode == 0)
  }

  @Test("Nothing is written where nothing can be imported")
  func failures() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(48, 32), as: "a.jpg")
    try scratch.write("<html>", to: "a.xmp")
    try scratch.write(Self.packet(), to: "lonely.xmp")
    for (arguments, beginning) in [
      (["a.xmp"], "a.xmp:1: "), (["a.jpg"], "a.jpg holds no develop settings"),
      (["none.xmp"], "Cannot read none.xmp: there is no such file"),
      (["lonely.xmp"], "There is no photo for lonely.xmp beside it"),
    ] {
      let run = try Program.run(["recipe", "import"] + arguments, in: scratch)
      #expect(run.exitCode == 1)
      #expect(run.error?.hasPrefix(beginning) ?? false, "\(run.errors)")
    }
    #expect(try scratch.names == ["a.jpg", "a.xmp", "lonely.xmp"])
  }
}
