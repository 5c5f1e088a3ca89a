import LibraryTestSupport
import Safelight
import Testing

@Suite("Contact sheets of batches")
struct BatchContactSheetTests {
  @Test("Each page and each photo is examined once, however many there are of both")
  func manyPages() throws {
    let scratch = try Scratch()
    let pages = 300
    for page in 1...pages { try scratch.write("an earlier page", to: "sheet-\(page).jpg") }
    let originals = (0..<5000).map { scratch("in/\($0).jpg") }
    let others = (0..<5000).map { scratch("looks/\($0).cube") }
    let sheet = try BatchContactSheet(path: scratch("sheet.jpg"))
    var examined: [String: Int] = [:]
    try sheet.check(
      forAtMost: pages * BatchContactSheet.capacity, originals: originals, others: others, overwrite: true
    ) { path in
      examined[path, default: 0] += 1
      return FileIdentity(path)
    }
    // The first page has no number where it is the only one.
    #expect(examined.count == 1 + pages + originals.count + others.count)
    #expect(examined.values.allSatisfy { $0 == 1 })
  }

  @Test("A page takes the place of no photo, no result and no file that is read, under any of their names")
  func refusals() throws {
    let scratch = try Scratch()
    try makePicture(40, 30).write(to: scratch("a.jpg"))
    let sheet = try BatchContactSheet(path: scratch("./a.jpg"))
    #expect(
      message { try sheet.check(forAtMost: 1, originals: [scratch("a.jpg")], overwrite: true) }
        == "\(scratch("./a.jpg")) is an original, \(scratch("a.jpg")); give another name.")
    #expect(
      message { try sheet.check(forAtMost: 1, originals: [], others: [scratch("a.jpg")], overwrite: true) }
        == "\(scratch("./a.jpg")), where the contact sheet goes, is read by this run; give another name.")
    let result = BatchContactSheet.Picture(path: scratch("a.jpg"), name: "a.jpg")
    #expect(
      message { _ = try sheet.write([result], overwrite: true) }
        == "The contact sheet \(scratch("./a.jpg")) would replace a result; give it a name of its own.")
  }
}
