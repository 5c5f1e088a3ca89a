import Testing

@Suite("The walls between modules")
struct WallTests {
  @Test("stand: no source imports or includes over one")
  func walls() throws {
    let sources = try SourceTree.sources()
    #expect(sources.count > 20)
    let headers = Dictionary(
      sources.filter { $0.path.hasSuffix(".h") }.map { (fileName($0.path), $0.module) },
      uniquingKeysWith: { first, _ in first })
    for file in sources {
      for found in file.isSwift ? Import.inSwift(file.text) : Import.inC(file.text) {
        if let violation = Walls.violation(of: found, by: file.module, headers: headers) {
          Issue.record("\(file.path):\(found.line): \(violation)")
        }
      }
    }
  }

  @Test("stand in Package.swift too: no target depends over one")
  func declaredDependencies() throws {
    for target in PackageManifest(try SourceTree.text(of: "Package.swift")).targets
    where !target.isTest && !Walls.sharedByTests.contains(target.name) {
      let allowed = try #require(Walls.allowedImports[target.name], "\(target.name) is not in Walls.swift")
      for name in target.dependencies.subtracting(allowed)
      where name != "Libc" && Walls.foreignModules[name] != target.name {
        Issue.record(
          "Package.swift: \(target.name) must not depend on \(name): \(Walls.reason(target.name, name))")
      }
    }
  }

  @Test("leave no way around: what a module may import may import nothing back")
  func noCycles() {
    for module in Walls.allowedImports.keys {
      var reached: Set<String> = []
      var next = Walls.allowedImports[module] ?? []
      while let name = next.popFirst() {
        if reached.insert(name).inserted { next.formUnion(Walls.allowedImports[name] ?? []) }
      }
      #expect(!reached.contains(module), "\(module) reaches itself")
    }
  }

  @Test(
    "are seen when they are broken",
    arguments: [
      ("Rendering", "import Filters", "renderers see only a Plan, never a filter"),
      ("Filters", "@testable import Rendering", "filters lower to stages and never see a renderer"),
      ("Capture", "internal import Rendering", "capture and rendering do not know each other"),
      ("PhotoIO", "import ArgumentParser", "everything below SafelightCLI knows no command line and no HTTP"),
      ("FrameCore", "  import struct Safelight.Photo", "everything below the façade must not look up at it"),
      ("FrameCore", "import FlyingFox", "the table in Walls.swift does not list it"),
    ])
  func brokenWalls(module: String, line: String, reason: String) throws {
    let found = try #require(Import.inSwift("// first\n\(line)\n").first)
    #expect(found.line == 2)
    let violation = Walls.violation(of: found, by: module, headers: [:])
    #expect(violation == "\(module) must not import \(found.name): \(reason)")
  }

  @Test("are seen when an include breaks them")
  func brokenIncludes() throws {
    let headers = ["CJPEG.h": "CJPEG", "PixelKernels.h": "PixelKernels"]
    func violation(_ line: String, _ module: String) throws -> String? {
      Walls.violation(of: try #require(Import.inC(line).first), by: module, headers: headers)
    }
    #expect(
      try violation("# include \"../CJPEG/include/CJPEG.h\"", "PixelKernels")
        == "PixelKernels must not include ../CJPEG/include/CJPEG.h of CJPEG: "
        + "the table in Walls.swift does not list it")
    #expect(
      try violation("#include <hwy/highway.h>", "CVips")
        == "CVips must not include hwy/highway.h: only AnalysisKernels or PixelKernels speaks to that library"
    )
    #expect(try violation("#include <hwy/highway.h>", "PixelKernels") == nil)
    #expect(try violation("#include \"PixelKernels.h\"", "PixelKernels") == nil)
    #expect(try violation("#include <stdint.h>", "CJPEG") == nil)
  }

  private func fileName(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}

@Suite("The package")
struct PackageTests {
  @Test("declares exactly the modules that have a folder, and presets")
  func modules() throws {
    let manifest = PackageManifest(try SourceTree.text(of: "Package.swift"))
    // What tests share is no module of the engine.
    let declared = Set(manifest.targets.filter { !$0.isTest }.map(\.name)).subtracting(
      Walls.sharedByTests)
    #expect(declared == (try SourceTree.sourceFolders()).union(["LookLibrary", "StudioPage"]))
    #expect(declared == Set(Walls.allowedImports.keys))
  }

  @Test("names tests after what they test")
  func tests() throws {
    let manifest = PackageManifest(try SourceTree.text(of: "Package.swift"))
    let modules = Set(manifest.targets.filter { !$0.isTest }.map(\.name))
    // These test the package as a whole, and whole sessions on kernel drivers.
    let ofNoModule: Set = ["ArchitectureTests", "CameraTests"]
    for test in manifest.targets where test.isTest && !ofNoModule.contains(test.name) {
      #expect(test.name.hasSuffix("Tests"))
      #expect(modules.contains(String(test.name.dropLast(5))), "\(test.name) tests no module")
    }
  }

  @Test("has no unsafe flags: other packages could not depend on it")
  func unsafeFlags() throws {
    for manifest in ["Package.swift", "Benchmarks/Package.swift"] {
      #expect(!(try SourceTree.text(of: manifest)).contains("unsafeFlags"), "\(manifest)")
    }
    for file in try SourceTree.sources() { #expect(!file.text.contains("unsafeFlags"), "\(file.path)") }
  }

  @Test("is read correctly by these tests")
  func reading() {
    let manifest = PackageManifest(
      """
      // .target(name: "Comment"),
      .systemLibrary(
        name: "CLib", pkgConfig: "lib"),
      .target(name: "A", dependencies: [
        "CLib", .product(name: "Tool", package: "tools")
      ]),
      .testTarget(name: "ATests", dependencies: ["A"]),
      """)
    #expect(manifest.targets.map(\.name) == ["CLib", "A", "ATests"])
    #expect(manifest.targets.map(\.dependencies) == [[], ["CLib", "Tool"], ["A"]])
    #expect(manifest.targets.map(\.isTest) == [false, false, true])
  }
}
