// swift-tools-version: 6.1
import PackageDescription

// The order of this file is the architecture: lower modules first. `Tests/ArchitectureTests` reads the
// imports of every source file and fails if one crosses a wall.
let package = Package(
  name: "safelight",
  products: [
    .library(name: "Safelight", targets: ["Safelight"]),
    .library(name: "SafelightProfiling", targets: ["Profiling"]),
    .library(name: "SafelightC", type: .static, targets: ["SafelightC"]),
    .executable(name: "safelight", targets: ["SafelightCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // Shims and system libraries: C interfaces and module maps only.
    .systemLibrary(
      name: "CLittleCMS", path: "Sources/CLittleCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(
      name: "CXXHash", path: "Sources/CXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"])]),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .systemLibrary(name: "CSafelight", path: "Sources/CSafelight"),
    .target(name: "CFiles"),
    .target(name: "CProcess"),
    .target(name: "CTerminal"),
    .target(name: "CThreads"),
    .target(name: "CV4L2", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CHEIF", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CVips", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CLibRaw", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CFFmpeg", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CMySofa", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CLensfun", linkerSettings: [.linkedLibrary("dl")]),

    // The engine.
    .target(name: "Libc"),
    .target(name: "FrameCore", dependencies: ["CThreads", "Libc"]),
    .target(name: "Files", dependencies: ["FrameCore", "CFiles", "CXXHash", "Libc"]),
    .target(name: "ColorScience", dependencies: ["FrameCore", "CLittleCMS", "Libc"]),
    .target(name: "FilterGraph", dependencies: ["FrameCore", "ColorScience", "Libc"]),
    .target(name: "Filters", dependencies: ["FilterGraph", "LookLibrary"]),
    .target(name: "LensProfiles", dependencies: ["FilterGraph", "CLensfun"]),
    .target(
      name: "PixelKernels",
      // Highway includes each kernel file again for every instruction set, relative to this path.
      cxxSettings: [.headerSearchPath(".")],
      linkerSettings: [.linkedLibrary("hwy")]),
    .target(name: "Rendering", dependencies: ["FilterGraph", "PixelKernels", "Libc"]),
    .target(
      name: "VulkanCompute", cxxSettings: [.headerSearchPath(".")], linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "VulkanRendering", dependencies: ["Rendering", "VulkanCompute", "Files"],
      plugins: ["CompileShaders"]),
    .target(
      name: "PhotoIO",
      dependencies: ["ColorScience", "Files", "CHEIF", "CJPEG", "CLibRaw", "CVips"]),

    .target(name: "AudioProcessing", dependencies: ["Files", "CFFmpeg"]),
    .target(name: "SpatialAudio", dependencies: ["FrameCore", "CMySofa", "Libc"]),
    .target(name: "MovieIO", dependencies: ["Files", "CFFmpeg"]),

    .target(
      name: "Capture",
      dependencies: ["FrameCore", "PixelKernels", "CALSA", "CFFmpeg", "CJPEG", "CV4L2", "Libc"]),

    .target(
      name: "AnalysisKernels", dependencies: ["PixelKernels"],
      cxxSettings: [.headerSearchPath(".")],
      linkerSettings: [.linkedLibrary("hwy")]),
    .target(name: "FrameAnalysis", dependencies: ["FrameCore", "ColorScience", "AnalysisKernels"]),

    // The shipped looks, embedded into the binary (`presets/embed.c`).
    .target(
      name: "LookLibrary", path: "presets",
      exclude: ["looks", "luts", "packed", "generate_luts.py", "generator", "pack_luts.py", "README.md"]),

    // What `safelight-vision` finds in frames: the program's own text is in `vision`.
    .target(name: "Vision", dependencies: ["FrameAnalysis", "CProcess"]),

    // One subject each: photos from file to file, the choice of a renderer, recipes on disk, what an edit means,
    // live frames, photos of a camera, movies, many photos, measuring.
    .target(name: "PhotoPipeline", dependencies: ["Filters", "Rendering", "PhotoIO"]),
    .target(name: "Backends", dependencies: ["Rendering", "VulkanRendering", "Files"]),
    .target(name: "Sidecars", dependencies: ["Filters", "PhotoPipeline"]),
    .target(name: "Editing", dependencies: ["Sidecars", "FrameAnalysis", "LensProfiles"]),
    .target(name: "LiveVideo", dependencies: ["Capture", "Backends", "Editing"]),
    .target(name: "Messaging", dependencies: ["FrameCore", "CProcess", "Libc"]),
    .target(name: "CapturedPhotos", dependencies: ["Capture", "Editing"]),
    .target(name: "Recording", dependencies: ["LiveVideo", "MovieIO", "AudioProcessing"]),
    .target(name: "BatchEditing", dependencies: ["Backends", "Editing", "CProcess"]),
    .target(name: "Similarity", dependencies: ["BatchEditing"]),
    .target(name: "Profiling", dependencies: ["Backends", "Capture", "Editing", "VulkanRendering"]),

    // The façade, which exports them.
    .target(
      name: "Safelight",
      dependencies: [
        "LiveVideo", "CapturedPhotos", "Recording", "SpatialAudio", "Similarity", "Vision", "Messaging",
      ]),

    // The façade for other languages, behind `safelight.h`.
    .target(name: "SafelightC", dependencies: ["Safelight", "CSafelight", "Libc"]),

    // The server; what it serves: the stream of `live`, and the page on which photos are edited, embedded into the
    // binary; and the command line.
    .target(
      name: "WebServer",
      dependencies: [
        "FrameCore", "Libc",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ]),
    .target(name: "Serving", dependencies: ["Capture", "LiveVideo", "WebServer"]),
    .target(name: "StudioPage", path: "studio", exclude: ["embed.py", "package.json", "page", "tests"]),
    .target(name: "Studio", dependencies: ["Safelight", "StudioPage", "WebServer"]),
    .executableTarget(
      name: "SafelightCLI",
      dependencies: [
        "Safelight", "Profiling", "Serving", "Studio", "CTerminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // `shaders/`, compiled when the package is built and embedded into the module that runs them.
    .plugin(name: "CompileShaders", capability: .buildTool(), dependencies: ["ShaderCompiler"]),
    .executableTarget(name: "ShaderCompiler"),

    // Tests mirror the sources.
    .target(name: "TestSupport", dependencies: ["Libc"], path: "Tests/TestSupport"),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "SyncObserver", path: "Tests/SyncObserver"),
    // The pictures and plans that every renderer is tested with.
    .target(
      name: "RendererTestSupport", dependencies: ["TestSupport", "Rendering", "Filters"],
      path: "Tests/RendererTestSupport"),
    // The pictures that analyses are tested with.
    .target(
      name: "AnalysisTestSupport", dependencies: ["TestSupport", "FrameAnalysis"],
      path: "Tests/AnalysisTestSupport"),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
    .testTarget(name: "FrameCoreTests", dependencies: ["FrameCore"]),
    .testTarget(
      name: "ColorScienceTests", dependencies: ["TestSupport", "ColorScience"], exclude: ["Fixtures"]),
    .testTarget(name: "FilterGraphTests", dependencies: ["TestSupport", "FilterGraph", "Filters"]),
    .testTarget(
      name: "FiltersTests", dependencies: ["TestSupport", "Filters", "LookLibrary"], exclude: ["Fixtures"]),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "TestSupport", "AllocationCounter", "RendererTestSupport", "Rendering", "Filters", "Capture",
      ]),
    .testTarget(
      name: "VulkanRenderingTests",
      dependencies: [
        "TestSupport", "RendererTestSupport", "AllocationCounter", "VulkanRendering", "VulkanCompute",
        "Filters",
      ]),
    .testTarget(name: "PhotoIOTests", dependencies: ["TestSupport", "SyncObserver", "PhotoIO", "CJPEG"]),
    .testTarget(
      name: "CaptureTests", dependencies: ["TestSupport", "Capture", "CV4L2", "CJPEG"],
      exclude: ["V4L2/Fixtures", "ALSA/Fixtures"]),
    .target(
      name: "CLensfunModifier", path: "Tests/CLensfunModifier", linkerSettings: [.linkedLibrary("dl")]),
    .testTarget(
      name: "LensProfilesTests", dependencies: ["TestSupport", "Filters", "LensProfiles", "CLensfunModifier"]),
    .target(name: "CEBUR128", path: "Tests/CEBUR128", linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "AudioProcessingTestSupport", dependencies: ["TestSupport", "AudioProcessing"],
      path: "Tests/AudioProcessingTestSupport"),
    .testTarget(
      name: "AudioProcessingTests",
      dependencies: ["AudioProcessingTestSupport", "SyncObserver", "CEBUR128"]),
    .testTarget(
      name: "SpatialAudioTests", dependencies: ["TestSupport", "AllocationCounter", "SpatialAudio"]),
    .testTarget(
      name: "MovieIOTests", dependencies: ["TestSupport", "MovieIO"], exclude: ["Fixtures"]),
    .testTarget(
      name: "FrameAnalysisTests",
      dependencies: ["AnalysisTestSupport", "AllocationCounter", "FrameAnalysis", "Capture"]),
    .testTarget(
      name: "VisionTests", dependencies: ["TestSupport", "Vision", "PhotoIO", "Rendering"],
      exclude: ["Fixtures"]),
    // Skipped except in the virtual machine of Tests/CameraVM.
    .testTarget(name: "CameraTests", dependencies: ["Capture"]),
    // Shared by the tests of everything above the engine.
    .target(
      name: "LibraryTestSupport", dependencies: ["TestSupport", "Safelight"], path: "Tests/LibraryTestSupport"
    ),
    .testTarget(name: "FilesTests", dependencies: ["LibraryTestSupport", "Files"]),
    .testTarget(
      name: "PhotoPipelineTests",
      dependencies: ["LibraryTestSupport", "RendererTestSupport", "PhotoPipeline"]),
    .testTarget(
      name: "BackendsTests", dependencies: ["LibraryTestSupport", "Backends"], exclude: ["Fixtures"]),
    .testTarget(
      name: "SidecarsTests", dependencies: ["LibraryTestSupport", "Sidecars"], exclude: ["Fixtures"]),
    .testTarget(
      name: "EditingTests", dependencies: ["LibraryTestSupport", "AnalysisTestSupport", "Editing"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "LiveVideoTests", dependencies: ["LibraryTestSupport", "LiveVideo"], exclude: ["Fixtures"]),
    .testTarget(name: "MessagingTests", dependencies: ["TestSupport", "Messaging"]),
    .testTarget(
      name: "CapturedPhotosTests", dependencies: ["LibraryTestSupport", "CapturedPhotos"]),
    .testTarget(
      name: "RecordingTests",
      dependencies: ["LibraryTestSupport", "AudioProcessingTestSupport", "Recording"]),
    .testTarget(name: "SimilarityTests", dependencies: ["LibraryTestSupport", "Similarity"]),
    .testTarget(
      name: "BatchEditingTests",
      dependencies: ["LibraryTestSupport", "BatchEditing", "CFiles", "SyncObserver"], exclude: ["Fixtures"]),
    .testTarget(
      name: "ProfilingTests", dependencies: ["LibraryTestSupport", "Profiling"], exclude: ["Fixtures"]),
    .testTarget(name: "ServingTests", dependencies: ["LibraryTestSupport", "Serving"]),
    .testTarget(name: "WebServerTests", dependencies: ["TestSupport", "WebServer"]),
    .testTarget(
      name: "StudioTests", dependencies: ["LibraryTestSupport", "RendererTestSupport", "Studio"],
      exclude: ["Fixtures"]),
    .testTarget(name: "SafelightTests", dependencies: ["LibraryTestSupport", "Safelight"]),
    .testTarget(
      name: "SafelightCTests", dependencies: ["LibraryTestSupport", "SafelightC", "CSafelight"],
      exclude: ["Programs"]),
    .testTarget(
      name: "SafelightCLITests", dependencies: ["LibraryTestSupport", "AnalysisTestSupport", "SafelightCLI"],
      exclude: ["Fixtures"]),
    .testTarget(name: "ArchitectureTests"),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11,
  cxxLanguageStandard: .cxx20
)

// The layouts of types from further below are compiled into a module too, but SwiftPM compiles it again only when a module
// that its target names has changed. So every target names all modules below it.
var below: [String: Set<String>] = [:]
for target in package.targets {
  let direct = target.dependencies.compactMap { dependency in
    if case .byNameItem(let name, _) = dependency { name } else { nil }
  }
  let all = direct.reduce(into: Set(direct)) { $0.formUnion(below[$1] ?? []) }
  below[target.name] = all
  target.dependencies += all.subtracting(direct).sorted().map { .byName(name: $0) }
}

// `SAFELIGHT_TESTS='FilterGraphTests RenderingTests' Tests/build` builds these tests and what they need, and nothing else.
if let names = Context.environment["SAFELIGHT_TESTS"]?.split(separator: " ").map(String.init) {
  let kept = names.reduce(into: Set(names)) { $0.formUnion(below[$1] ?? []) }
  package.targets.removeAll { ![.plugin, .executable].contains($0.type) && !kept.contains($0.name) }
  package.targets.removeAll { $0.name == "SafelightCLI" && !kept.contains("SafelightCLI") }
  package.products = []
}

// Only `make docs` needs the plug-in: users of the library should not have to download it.
if Context.environment["SAFELIGHT_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
