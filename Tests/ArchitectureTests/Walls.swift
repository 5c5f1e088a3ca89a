/// The walls between modules: who may import whom. DESIGN's table, in the one place where it is enforced.
enum Walls {
  /// Which of our modules each module may import. A module that is not here may not exist.
  static let allowedImports: [String: Set<String>] = [
    // Shims and data: C interfaces only.
    "CALSA": [],
    "CFFmpeg": [],
    "CHEIF": [],
    "CJPEG": [],
    "CFiles": [],
    "CLibRaw": [],
    "CLittleCMS": [],
    "CLensfun": [],
    "CMySofa": [],
    "CProcess": [],
    "CSafelight": [],
    "CTerminal": [],
    "CThreads": [],
    "CV4L2": [],
    "CVips": [],
    "CXXHash": [],
    "LookLibrary": [],

    // The platform's C library under one name, for every module.
    "Libc": [],

    "FrameCore": ["CThreads"],
    "Files": ["FrameCore", "CFiles", "CXXHash"],
    "ColorScience": ["FrameCore", "CLittleCMS"],
    "FilterGraph": ["FrameCore", "ColorScience"],
    "Filters": ["FrameCore", "ColorScience", "FilterGraph", "LookLibrary"],
    "LensProfiles": ["FrameCore", "FilterGraph", "CLensfun"],
    "PixelKernels": [],
    "Rendering": ["FrameCore", "ColorScience", "FilterGraph", "PixelKernels"],
    "VulkanCompute": [],
    "VulkanRendering": ["FrameCore", "ColorScience", "Files", "FilterGraph", "Rendering", "VulkanCompute"],
    "PhotoIO": ["FrameCore", "ColorScience", "Files", "CHEIF", "CJPEG", "CLibRaw", "CVips"],
    "AudioProcessing": ["FrameCore", "Files", "CFFmpeg"],
    "SpatialAudio": ["FrameCore", "CMySofa"],
    "MovieIO": ["FrameCore", "Files", "CFFmpeg"],
    "Capture": ["FrameCore", "PixelKernels", "CALSA", "CFFmpeg", "CJPEG", "CV4L2"],
    // PixelKernels chooses the instruction set for both.
    "AnalysisKernels": ["PixelKernels"],
    "FrameAnalysis": ["FrameCore", "ColorScience", "AnalysisKernels"],

    "Vision": ["FrameCore", "FrameAnalysis", "CProcess"],

    // One subject each: what is above the engine, and not each other without need.
    "PhotoPipeline": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Filters", "Rendering", "PhotoIO",
    ],
    "Backends": ["FrameCore", "ColorScience", "Files", "FilterGraph", "Rendering", "VulkanRendering"],
    "Sidecars": ["FrameCore", "ColorScience", "Files", "FilterGraph", "Filters", "PhotoIO", "PhotoPipeline"],
    "Editing": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Filters", "LensProfiles", "Rendering", "PhotoIO",
      "FrameAnalysis",
      "PhotoPipeline", "Sidecars",
    ],
    "LiveVideo": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Filters", "Rendering", "PhotoIO", "Capture",
      "FrameAnalysis", "PhotoPipeline", "Backends", "Editing",
    ],
    // Knows nothing of pictures.
    "Messaging": ["FrameCore", "CProcess"],
    "CapturedPhotos": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Filters", "Rendering", "PhotoIO", "Capture",
      "FrameAnalysis", "PhotoPipeline", "Sidecars", "Editing",
    ],
    "Recording": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Rendering", "PhotoIO", "AudioProcessing",
      "MovieIO", "Capture", "PhotoPipeline", "LiveVideo",
    ],
    "BatchEditing": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Filters", "Rendering", "PhotoIO", "FrameAnalysis",
      "PhotoPipeline", "Backends", "Sidecars", "Editing", "CFiles", "CProcess",
    ],
    "Similarity": ["FrameCore", "Files", "FrameAnalysis", "PhotoIO", "Editing", "BatchEditing"],
    "Profiling": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Filters", "PixelKernels", "Rendering", "PhotoIO",
      "Capture", "FrameAnalysis", "PhotoPipeline", "Backends", "Editing", "VulkanRendering",
    ],
    "Serving": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Rendering", "PhotoIO", "Capture", "LiveVideo",
      "WebServer",
    ],

    // Exports and conveniences only.
    "Safelight": [
      "FrameCore", "ColorScience", "Files", "FilterGraph", "Filters", "Rendering", "VulkanRendering",
      "PhotoIO", "LensProfiles",
      "Capture", "FrameAnalysis", "PhotoPipeline", "Backends", "Sidecars", "Editing", "LiveVideo",
      "CapturedPhotos", "BatchEditing", "Similarity", "AudioProcessing", "SpatialAudio", "MovieIO",
      "Recording", "Vision", "Messaging",
    ],
    // For other languages: the façade behind a C header.
    "SafelightC": ["Safelight", "CSafelight"],
    // Knows nothing of photos.
    "WebServer": ["FrameCore"],
    "StudioPage": [],
    "Studio": ["Safelight", "StudioPage", "WebServer"],
    "SafelightCLI": ["Safelight", "Profiling", "Serving", "Studio", "CTerminal"],

    // Run while the package is built.
    "ShaderCompiler": [],
  ]

  /// What tests share: no modules of the engine.
  static let sharedByTests: Set<String> = [
    "AllocationCounter", "AnalysisTestSupport", "AudioProcessingTestSupport", "CEBUR128", "CLensfunModifier",
    "LibraryTestSupport", "RendererTestSupport", "SyncObserver",
    "TestSupport",
  ]

  /// Modules of other packages, each with the only module of ours that may import it. Everything below the façade
  /// knows no command line and no HTTP.
  static let foreignModules: [String: String] = [
    "ArgumentParser": "SafelightCLI", "Darwin": "Libc", "Glibc": "Libc", "Musl": "Libc",
    "NIOCore": "WebServer", "NIOHTTP1": "WebServer", "NIOPosix": "WebServer", "NIOWebSocket": "WebServer",
  ]

  /// What every Swift module may import: the platform and the toolchain's own libraries.
  static let platformModules: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "Libc", "Synchronization",
  ]

  /// Headers of system libraries, by the beginning of their name, each with the only modules that may include it.
  static let systemHeaders: [String: Set<String>] = [
    "alsa/": ["CALSA"],
    "hwy/": ["AnalysisKernels", "PixelKernels"],
    "jconfig": ["CJPEG"],
    "jerror": ["CJPEG"],
    "lensfun/": ["CLensfun"],
    "jpeglib": ["CJPEG"],
    "lcms2": ["CLittleCMS"],
    "linux/videodev2": ["CV4L2"],
    "libavcodec/": ["CFFmpeg"],
    "libavformat/": ["CFFmpeg"],
    "libavutil/": ["CFFmpeg"],
    "libheif/": ["CHEIF"],
    "libraw/": ["CLibRaw"],
    "libswresample/": ["CFFmpeg"],
    "libswscale/": ["CFFmpeg"],
    "libv4l": ["CV4L2"],
    "mysofa": ["CMySofa"],
    "turbojpeg": ["CJPEG"],
    "vips/": ["CVips"],
    "vulkan/": ["VulkanCompute"],
    "xxhash": ["CXXHash"],
  ]

  /// Why a wall stands, for the walls that people run into most.
  static func reason(_ importer: String, _ imported: String) -> String {
    switch (importer, imported) {
    case ("Filters", "Rendering"), ("Filters", "PixelKernels"):
      "filters lower to stages and never see a renderer"
    case ("Rendering", "Filters"), ("PixelKernels", "Filters"): "renderers see only a Plan, never a filter"
    case ("Capture", "Rendering"), ("Rendering", "Capture"): "capture and rendering do not know each other"
    case (_, "NIOCore"), (_, "NIOPosix"), (_, "NIOHTTP1"), (_, "NIOWebSocket"):
      "only WebServer speaks to the network's library"
    case (_, "ArgumentParser"): "everything below SafelightCLI knows no command line and no HTTP"
    case (_, "Safelight"): "everything below the façade must not look up at it"
    default: "the table in Walls.swift does not list it"
    }
  }
}

extension Walls {
  /// The sentence for an import that stands over a wall, or `nil` where it is allowed.
  ///
  /// - Parameter headers: the module of each header of ours, by file name.
  static func violation(of found: Import, by importer: String, headers: [String: String]) -> String? {
    guard let allowed = allowedImports[importer] else {
      return "\(importer) is not in the table of modules in Walls.swift"
    }
    switch found.kind {
    case .module:
      let name = found.name
      if name == importer || allowed.contains(name) || platformModules.contains(name) { return nil }
      if foreignModules[name] == importer { return nil }
      return "\(importer) must not import \(name): \(reason(importer, name))"
    case .header:
      let file = String(found.name.split(separator: "/").last ?? "")
      if let owner = headers[file], owner != importer, !allowed.contains(owner) {
        return "\(importer) must not include \(found.name) of \(owner): \(reason(importer, owner))"
      }
      if let (_, owners) = systemHeaders.first(where: { found.name.hasPrefix($0.key) }),
        !owners.contains(importer)
      {
        let speakers = owners.sorted().joined(separator: " or ")
        return "\(importer) must not include \(found.name): only \(speakers) speaks to that library"
      }
      return nil
    }
  }
}
