import FrameAnalysis
import FrameCore
import TestSupport
import Testing

@testable import Vision

@Suite("Faces", .canFind(.faces))
struct FaceDetectorTests {
  private func photo(_ name: String) throws -> PixelBuffer {
    try Vision.photo("\(Vision.package)/Tests/VisionTests/Fixtures/\(name)")
  }

  /// The face of Eileen Collins in `astronaut.jpg`, measured by eye from the chin to the hair and from ear to ear, in
  /// fractions of the picture.
  private static let face = (x: 0.345...0.535, y: 0.12...0.37)

  @Test("The face is found, and nothing else", arguments: [FaceDetector.Effort.thorough, .live])
  func face(effort: FaceDetector.Effort) throws {
    var detector = FaceDetector(try Vision.worker(.faces), effort: effort)
    let found = try Vision.find(&detector, photo("astronaut.jpg"))
    #expect(found.count == 1, "\(found)")
    let face = try #require(found.first)
    #expect(face.kind == .face && face.text == nil && face.confidence > 0.5 && face.confidence <= 1)
    let middle = (face.outline.reduce(0) { $0 + $1.x } / 4, face.outline.reduce(0) { $0 + $1.y } / 4)
    #expect(Self.face.x.contains(middle.0) && Self.face.y.contains(middle.1), "\(face.outline)")
    let width = face.outline[1].x - face.outline[0].x
    #expect(width > 0.15 && width < 0.3, "\(width)")
  }

  @Test("A photo that is stored sideways is searched as it is displayed")
  func orientation() throws {
    let worker = try Vision.worker(.faces)
    let buffer = try photo("astronaut.jpg")
    var detector = FaceDetector(worker)
    // Turned by 180° for display, the face is upside down.
    #expect(try Vision.find(&detector, buffer, orientation: .down).isEmpty)
    let mirrored = try Vision.find(&detector, buffer, orientation: .upMirrored)
    #expect(mirrored.count == 1)
    let x = (mirrored.first?.outline.reduce(0) { $0 + $1.x } ?? 0) / 4
    #expect(Self.face.x.contains(1 - x), "\(x)")
  }

  @Test("A cup of coffee has no face", arguments: [FaceDetector.Effort.thorough, .live])
  func noFace(effort: FaceDetector.Effort) throws {
    var detector = FaceDetector(try Vision.worker(.faces), effort: effort)
    #expect(try Vision.find(&detector, photo("coffee.jpg")).isEmpty)
  }

  @Test("Pictures of any shape are searched", arguments: [(1, 1), (1, 4000), (4000, 1), (25, 25)])
  func shapes(width: Int, height: Int) throws {
    let worker = try Vision.worker(.faces)
    let flat = try Vision.gray(width, height) { _, _ in 99 }
    for effort in [FaceDetector.Effort.thorough, .live] {
      var detector = FaceDetector(worker, effort: effort)
      #expect(try Vision.find(&detector, flat).isEmpty)
    }
    #expect(worker.statistics == VisionWorker.Statistics(answers: 2, lost: 0, restarts: 0))
  }

  @Test("A face model that is none is named")
  func noModel() throws {
    let scratch = try Scratch()
    try scratch.write("no model", to: "model.onnx")
    func start(_ path: String) -> String {
      sentence { try VisionWorker(VisionWorker.Options([.faces], faceModel: path)).start() }
    }
    #expect(
      start(scratch("model.onnx"))
        == "The face model \(scratch("model.onnx")) is none that OpenCV can find faces with; "
        + "use a YuNet model, an .onnx file such as face_detection_yunet_2022mar.onnx.")
    #expect(
      start(scratch("none.onnx"))
        == "Cannot read the face model \(scratch("none.onnx")): No such file or directory; "
        + "name a YuNet model, an .onnx file.")
  }
}
