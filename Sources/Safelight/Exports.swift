// Everything a program needs comes with `import Safelight`.
@_exported import Backends
@_exported import BatchEditing
@_exported import Capture
@_exported import CapturedPhotos
@_exported import ColorScience
@_exported import Editing
@_exported import Files
@_exported import FilterGraph
@_exported import Filters
@_exported import FrameAnalysis
@_exported import FrameCore
@_exported import LiveVideo
@_exported import PhotoIO
@_exported import PhotoPipeline
@_exported import Rendering
@_exported import Sidecars
@_exported import VulkanRendering
