import FrameCore
import LibraryTestSupport
import Testing

@testable import Editing

@Suite("Samples of several photos")
struct PhotoSampleReaderTests {
  @Test("are those of each by itself, in any order, and an unreadable photo stops no other")
  func order() throws {
    let scratch = try Scratch()
    var paths: [String] = []
    for width in [40, 60, 80] {
      try scratch.save(makePicture(width, 30), as: "\(width).png")
      paths.append(scratch("\(width).png"))
    }
    paths.insert(try scratch.write(Array("no photo".utf8), to: "text.png"), at: 1)
    let samples = PhotoSampleReader(paths)
    for index in [0, 1, 2, 3, 3, 1, 0] {
      if index == 1 {
        #expect(throws: SafelightError.self) { try samples.sample(index) }
      } else {
        let alone = try PhotoSample(contentsOf: paths[index])
        let sample = try samples.sample(index)
        #expect(sample.size == alone.size && sample.path == paths[index])
        #expect(sample.proxy.luma.elementsEqual(alone.proxy.luma))
      }
    }
  }
}
