import FrameCore

@testable import FrameAnalysis

// Copies: the views end with the proxy, and a proxy may end with its last use.
extension AnalysisProxy {
  var lumaCopy: [Float] { Array(luma) }
  var colorsCopy: [Float] { Array(colors) }
  var lightnessCopy: [Float] { Array(lightness) }
}

/// The proxy of a picture.
func makeProxy(_ picture: PixelBuffer) throws -> AnalysisProxy {
  let proxy = AnalysisProxy()
  try proxy.update(from: picture)
  return proxy
}
