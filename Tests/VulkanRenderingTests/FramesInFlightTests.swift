import FilterGraph
import Filters
import FrameCore
import Rendering
import Synchronization
import Testing

@testable import VulkanRendering

@Suite("Frames in flight", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct FramesInFlightTests {
  private struct Work {
    let source, output, expected: PixelBuffer
  }

  private func makeWorks(_ count: Int, _ renderer: VulkanRenderer, _ plan: Plan) throws -> [Work] {
    try (0..<count).map { index in
      let source = try NoisePicture.make(61, 47, .rgba8, seed: UInt64(index))
      return Work(
        source: source, output: try PixelBuffer(size: plan.outputSize, format: .rgba8),
        expected: try renderer.frame(source, through: plan))
    }
  }

  private func makePlan(_ renderer: VulkanRenderer, _ filters: [any Filter]) throws -> Plan {
    try renderer.plan(filters, for: NoisePicture.make(61, 47, .rgba8))
  }

  @Test("each end in their own output, in whatever order they are waited for", arguments: [false, true])
  func order(copiesAlways: Bool) throws {
    let renderer = try TestDevice.shared(copiesAlways: copiesAlways)
    let plan = try makePlan(renderer, [Exposure(stops: 0.4)])
    let works = try makeWorks(7, renderer, plan)
    let prepared = try renderer.prepare(plan)
    for order in [Array(0..<7), Array((0..<7).reversed()), [3, 0, 6, 1, 5, 2, 4]] {
      for work in works { work.output.row(0, as: UInt8.self)[0] = ~work.expected.tightBytes[0] }
      // Seven at once: who submits the fourth finishes the first.
      let frames = try works.map { try prepared.submit($0.source, into: $0.output) }
      for index in order {
        try frames[index].wait()
        #expect(works[index].output.tightBytes == works[index].expected.tightBytes)
      }
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("of several plans share the lanes", arguments: [false, true])
  func plans(copiesAlways: Bool) throws {
    let renderer = try TestDevice.shared(copiesAlways: copiesAlways)
    let plans = try [[Exposure(stops: 0.4)], [Resize(longEdge: 20)]].map { try makePlan(renderer, $0) }
    let prepared = try plans.map { try renderer.prepare($0) }
    let works = try plans.map { try makeWorks(4, renderer, $0) }
    var frames: [PendingFrame] = []
    for index in 0..<4 {
      for (plan, work) in zip(prepared, works) {
        frames.append(
          try plan.submit(work[index].source, into: work[index].output))
      }
    }
    for frame in frames { try frame.wait() }
    for work in works.joined() { #expect(work.output.tightBytes == work.expected.tightBytes) }
  }

  @Test("come from several threads at once", arguments: [false, true])
  func threads(copiesAlways: Bool) throws {
    let renderer = try TestDevice.shared(copiesAlways: copiesAlways)
    let plan = try makePlan(renderer, [Exposure(stops: 0.4)])
    let prepared = try renderer.prepare(plan)
    let works = try makeWorks(6, renderer, plan)
    let wrong = Mutex<[Int]>([])
    let threads = try works.indices.map { index in
      let work = works[index]
      return try WorkerThread(name: "frames \(index)") {
        for _ in 0..<20 {
          let isRight = (try? prepared.render(work.source, into: work.output)) != nil
          if !isRight || work.output.tightBytes != work.expected.tightBytes {
            wrong.withLock { $0.append(index) }
          }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong.withLock { $0 } == [])
    try TestDevice.expectNoComplaints()
  }

  @Test("keep their pictures until they are waited for, and no longer")
  func ownership() throws {
    let renderer = try TestDevice.renderer()
    let plan = try makePlan(renderer, [Exposure(stops: 0.4)])
    let prepared = try renderer.prepare(plan)
    let ring = try BufferRing(count: 2, size: PixelSize(width: 61, height: 47), format: .rgba8)
    for _ in 0..<4 {
      let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
      let frame = try prepared.submit(#require(ring.take()), into: output)
      #expect(ring.idleCount == 1)
      try frame.wait()
      #expect(ring.idleCount == 2)
    }
  }
}
