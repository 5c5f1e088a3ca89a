import CSafelight
import Safelight

@_cdecl("safelight_analyze")
public func analyze(_ image: UnsafePointer<safelight_image>?, _ error: FailurePlace) -> UnsafeMutablePointer<
  CChar
>? {
  attempt(error) {
    let analysis = try PhotoAnalysis(Image(image).measurable(), named: "the picture")
    return try Pointers.text(ReportText.json(PhotoMeasurements(analysis)))
  }
}

@_cdecl("safelight_photo_analyze")
public func photoAnalyze(_ photo: UnsafePointer<CChar>?, _ error: FailurePlace) -> UnsafeMutablePointer<
  CChar
>? {
  attempt(error) {
    let path = try Pointers.string(photo, "photo")
    let analysis = try PhotoAnalysis(PhotoSample(contentsOf: path))
    return try Pointers.text(ReportText.json(PhotoMeasurements(analysis)))
  }
}
