// swift-tools-version: 6.1
import PackageDescription

// The layout of this file is the architecture: lower modules first. `Tests/ArchitectureTests` reads the
// imports of every source file and fails when one reaches over a wall.
let package = Package(
  name: "safelight",
  products: [
    .library(name: "Safelight", targets: ["Safelight"]),
    .executable(name: "safelight", targets: ["SafelightCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
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
    .target(name: "CFiles"),
    .target(name: "CProcess"),
    .target(name: "CTerminal"),
    .target(name: "CThreads"),
    .target(name: "CV4L2"),
    .target(name: "CHEIF", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CVips", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CLibRaw", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CFFmpeg", linkerSettings: [.linkedLibrary("dl")]),

    // The engine.
    .target(name: "FrameCore", dependencies: ["CThreads"]),
    .target(name: "ColorScience", dependencies: ["FrameCore", "CLittleCMS"]),
    .target(name: "FilterGraph", dependencies: ["FrameCore", "ColorScience"]),
    .target(name: "Filters", dependencies: ["FilterGraph", "LookLibrary"]),
    .target(
      name: "PixelKernels",
      // Highway includes each kernel file again for every instruction set, by this name.
      cxxSettings: [.headerSearchPath(".")],
      linkerSettings: [.linkedLibrary("hwy")]),
    .target(name: "Rendering", dependencies: ["FilterGraph", "PixelKernels"]),
    .target(
      name: "VulkanCompute", cxxSettings: [.headerSearchPath(".")], linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "VulkanRendering", dependencies: ["Rendering", "VulkanCompute"], plugins: ["CompileShaders"]),
    .target(
      name: "PhotoIO",
      dependencies: ["FrameCore", "ColorScience", "CFiles", "CHEIF", "CJPEG", "CLibRaw", "CVips"]),

    .target(name: "Capture", dependencies: ["FrameCore", "CFFmpeg", "CJPEG", "CV4L2"]),

    .target(
      name: "AnalysisKernels", dependencies: ["PixelKernels"],
      cxxSettings: [.headerSearchPath(".")],
      linkerSettings: [.linkedLibrary("hwy")]),
    .target(name: "FrameAnalysis", dependencies: ["FrameCore", "ColorScience", "AnalysisKernels"]),

    // The shipped looks, embedded into the binary (`presets/embed.c`).
    .target(
      name: "LookLibrary", path: "presets",
      exclude: ["looks", "luts", "generate_luts.py", "README.md"]),

    // The façade and the command line.
    .target(
      name: "Safelight",
      dependencies: [
        "Filters", "Rendering", "VulkanRendering", "PhotoIO", "Capture", "FrameAnalysis", "CFiles",
        "CProcess",
        "CXXHash",
      ]),
    .executableTarget(
      name: "SafelightCLI",
      dependencies: [
        "Safelight", "CTerminal", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // `shaders/`, compiled when the package is built and embedded into the module that runs them.
    .plugin(name: "CompileShaders", capability: .buildTool(), dependencies: ["ShaderCompiler"]),
    .executableTarget(name: "ShaderCompiler"),

    // Tests mirror the sources.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(name: "SyncObserver", path: "Tests/SyncObserver"),
    // Pictures and plans that every renderer is held to.
    .target(
      name: "RendererTestSupport", dependencies: ["TestSupport", "Rendering", "Filters"],
      path: "Tests/RendererTestSupport"),
    .testTarget(name: "FrameCoreTests", dependencies: ["FrameCore"]),
    .testTarget(
      name: "ColorScienceTests", dependencies: ["TestSupport", "ColorScience"], exclude: ["Fixtures"]),
    .testTarget(name: "FilterGraphTests", dependencies: ["TestSupport", "FilterGraph", "Filters"]),
    .testTarget(name: "FiltersTests", dependencies: ["TestSupport", "Filters", "LookLibrary"]),
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
    .testTarget(name: "CaptureTests", dependencies: ["TestSupport", "Capture", "CV4L2", "CJPEG"]),
    .testTarget(
      name: "FrameAnalysisTests",
      dependencies: ["TestSupport", "AllocationCounter", "FrameAnalysis", "Capture"]),
    // Skipped but in the virtual machine of Tests/CameraVM.
    .testTarget(name: "CameraTests", dependencies: ["Capture"]),
    .testTarget(
      name: "SafelightTests", dependencies: ["TestSupport", "SyncObserver", "Safelight", "CFiles"]),
    .testTarget(name: "SafelightCLITests", dependencies: ["TestSupport", "SafelightCLI", "Safelight"]),
    .testTarget(name: "ArchitectureTests"),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11,
  cxxLanguageStandard: .cxx20
)

// Only `make docs` needs the plug-in: who uses the library should not have to load it.
if Context.environment["SAFELIGHT_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
