// Everything a program needs comes with `import Safelight`.
@_exported import Capture
@_exported import ColorScience
@_exported import FilterGraph
@_exported import Filters
@_exported import FrameAnalysis
@_exported import FrameCore
@_exported import PhotoIO
@_exported import Rendering
@_exported import VulkanRendering
