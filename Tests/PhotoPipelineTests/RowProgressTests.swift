import LibraryTestSupport
import Safelight
import Dispatch
import FrameCore
import Testing

@testable import PhotoPipeline

@Suite("Progress from thread to thread")
struct RowProgressTests {
  @Test("A consumer never sees a row before the producer made it, and sees every one", arguments: 0..<8)
  func stress(round: Int) throws {
    for _ in 0..<50 {
      let progress = RowProgress()
      let rows = 1 + round * 13
      let made = UnsafeMutablePointer<Int>.allocate(capacity: rows)
      made.initialize(repeating: 0, count: rows)
      defer { made.deallocate() }
      let address = UInt(bitPattern: made)
      DispatchQueue.global().async {
        for row in 0..<rows {
          UnsafeMutablePointer<Int>(bitPattern: address)?[row] = row + 1
          progress.advance(to: row + 1)
        }
        progress.finish(.success(()))
      }
      // By steps that do not divide the number of rows.
      for row in stride(from: 0, to: rows, by: 3) {
        try progress.wait(for: row + 1)
        #expect(made[row] == row + 1)
      }
      try progress.waitForEnd()
      #expect((0..<rows).allSatisfy { made[$0] == $0 + 1 })
    }
  }

  @Test("An error reaches whoever waits, now and later, and rows that are there do not hide it")
  func failure() {
    let progress = RowProgress()
    let error = SafelightError(.corruptData, "The data end early")
    progress.advance(to: 10)
    DispatchQueue.global().async { progress.finish(.failure(error)) }
    #expect(throws: error) { try progress.wait(for: 11) }
    #expect(throws: error) { try progress.wait(for: 5) }
    #expect(throws: error) { try progress.waitForEnd() }
  }

  @Test("An end releases whoever waits for more rows than there are")
  func shortEnd() throws {
    let progress = RowProgress()
    DispatchQueue.global().async { progress.finish(.success(())) }
    try progress.wait(for: 1000)
    try progress.waitForEnd()
  }

  @Test("A producer waits until rows are let go of, and goes on when the end comes instead")
  func release() throws {
    let progress = RowProgress()
    #expect(progress.waitForRelease(before: 0))
    DispatchQueue.global().async { progress.release(before: 20) }
    #expect(progress.waitForRelease(before: 15))
    // Letting go of less takes nothing back.
    progress.release(before: 3)
    #expect(progress.waitForRelease(before: 20))
    DispatchQueue.global().async {
      progress.finish(.failure(SafelightError(.corruptData, "The data end early")))
    }
    #expect(!progress.waitForRelease(before: 21))
    #expect(!progress.waitForRelease(before: 1))
  }
}
