import FilterGraph
import Filters
import FrameCore
import Rendering
import Synchronization
import Testing
import VulkanCompute

@testable import VulkanRendering

/// The CPU renderer under another name, which fails from some call on.
private final class Failing: Renderer {
  let name = "failing"
  private let cpu = CPURenderer(threads: 1)
  private let callsLeft: Mutex<Int>
  private let failures: Int
  private let code: SafelightError.Code

  /// - Parameter failures: calls that fail before it works again.
  init(after calls: Int, failures: Int = .max, code: SafelightError.Code = .device) {
    callsLeft = Mutex(calls)
    (self.failures, self.code) = (failures, code)
  }

  fileprivate func call() throws {
    let fails = callsLeft.withLock { calls in
      calls -= 1
      return calls < 0 && calls >= -failures
    }
    if fails { throw SafelightError(code, "It is broken") }
  }

  func prepare(_ plan: Plan) throws -> FailingPlan {
    try call()
    return FailingPlan(renderer: self, cpu: cpu.prepare(plan))
  }
}

private struct FailingPlan: PreparedPlan, BandedPlan {
  let renderer: Failing
  let cpu: CPUPlan
  var plan: Plan { cpu.plan }
  var bands: (any BandedPlan)? { self }

  func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try prepare(source).render(rows: 0..<plan.outputSize.height, into: output)
  }
  func prepare(_ source: PixelBuffer) throws -> any PreparedPicture {
    try renderer.call()
    return FailingPicture(renderer: renderer, cpu: try cpu.prepare(source))
  }
}

private struct FailingPicture: PreparedPicture {
  let renderer: Failing
  let cpu: any PreparedPicture

  func render(rows: Range<Int>, into output: PixelBuffer) throws {
    try renderer.call()
    try cpu.render(rows: rows, into: output)
  }
}

@Suite("A renderer with another one behind it")
struct FallbackRendererTests {
  private let source: PixelBuffer
  private let plan: Plan
  private let expected: PixelBuffer
  private let cpu = CPURenderer(threads: 1)

  init() throws {
    source = try NoisePicture.make(60, 40, .rgba8)
    plan = try cpu.plan([Resize(longEdge: 20), Exposure(stops: 0.3)], for: source)
    expected = try cpu.frame(source, through: plan)
  }

  private func renderRows(_ picture: any PreparedPicture) throws -> [UInt8] {
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    for rows in [0..<5, 5..<plan.outputSize.height] {
      try picture.render(rows: rows, into: output.band(rows: rows))
    }
    return output.tightBytes
  }

  @Test("goes on with it wherever the first one fails, and says so once", arguments: 0..<6)
  func fallsBack(after calls: Int) throws {
    let reports = Mutex<[SafelightError]>([])
    let renderer = FallbackRenderer(Failing(after: calls), else: cpu) { error in
      reports.withLock { $0.append(error) }
    }
    #expect(renderer.name == "failing")
    // Five calls: a plan, a picture, two bands, and the plan of a frame with its picture.
    let prepared = try renderer.prepare(plan)
    let picture = try prepared.picture(of: source)
    #expect(try renderRows(picture) == expected.tightBytes)
    let output = try PixelBuffer(size: plan.outputSize, format: .rgba8)
    try prepared.submit(source, into: output).wait()
    #expect(output.tightBytes == expected.tightBytes)
    #expect(reports.withLock { $0 } == [SafelightError(.device, "It is broken")])
    #expect(renderer.fallback == SafelightError(.device, "It is broken"))
    #expect(renderer.name == "cpu")
    #expect(try renderRows(picture) == expected.tightBytes)
  }

  @Test("passes on what the caller did wrong")
  func misuse() throws {
    let renderer = FallbackRenderer(Failing(after: 0, code: .invalidValue), else: cpu) { _ in
      Issue.record("nothing to report")
    }
    #expect(throws: SafelightError(.invalidValue, "It is broken")) { try renderer.prepare(plan) }
    #expect(renderer.fallback == nil)
  }

  @Test("renders a plan alone with it that is too much for the first one, and says so once")
  func refusedPlan() throws {
    let reports = Mutex<[SafelightError]>([])
    // The second plan that is prepared fails.
    let failing = Failing(after: 1, failures: 1, code: .tooLarge)
    let renderer = FallbackRenderer(failing, else: cpu) { error in reports.withLock { $0.append(error) } }
    func check(_ prepared: some PreparedPlan, _ name: String) throws {
      let picture = try prepared.picture(of: source)
      #expect(try renderRows(picture) == expected.tightBytes)
      #expect(renderer.name == name && (renderer.fallback == nil) == (name == "failing"))
    }
    let (served, refused) = (try renderer.prepare(plan), try renderer.prepare(plan))
    try check(served, "failing")
    try check(refused, "cpu")
    try check(served, "failing")
    #expect(reports.withLock { $0 } == [SafelightError(.tooLarge, "It is broken")])
  }

  @Test(
    "renders frames again that were under way on a lost device",
    .enabled(if: TestDevice.isThere, TestDevice.absence))
  func framesInFlight() throws {
    let reports = Mutex(0)
    let gpu = try TestDevice.renderer {
      vc_device_set_failure($0.device.pointer, VC_FAILURE_WAIT_LOST, 1, .max)
    }
    let renderer = FallbackRenderer(gpu, else: cpu) { _ in reports.withLock { $0 += 1 } }
    let prepared = try renderer.prepare(plan)
    let outputs = try (0..<5).map { _ in try PixelBuffer(size: plan.outputSize, format: .rgba8) }
    #expect(renderer.framesInFlight == 3)
    let frames = try outputs.map { try prepared.submit(source, into: $0) }
    for frame in frames { try frame.wait() }
    for output in outputs { #expect(output.largestDifference(from: expected) <= 1) }
    // The device comes back as often as it is lost, so whether the CPU takes over is a matter of order.
    #expect(reports.withLock { $0 } <= 1)
    #expect((reports.withLock { $0 } == 1) == (renderer.name == "cpu"))
  }
}
