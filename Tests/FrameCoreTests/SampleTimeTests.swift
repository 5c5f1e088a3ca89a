import FrameCore
import Testing

@Suite("Samples and time")
struct SampleTimeTests {
  @Test("Samples and nanoseconds convert without overflow, to the nearest")
  func conversion() {
    #expect(SampleTime.samples(1_000_000_000, rate: 48_000) == 48_000)
    #expect(SampleTime.samples(-1_000_000_000, rate: 48_000) == -48_000)
    #expect(SampleTime.samples(10_417, rate: 48_000) == 1)
    #expect(SampleTime.samples(10_416, rate: 48_000) == 0)
    let century: Int64 = 3_155_760_000 * 1_000_000_000
    #expect(SampleTime.samples(century, rate: 192_000) == 3_155_760_000 * 192_000)
    #expect(SampleTime.nanoseconds(3_155_760_000 * 90_000, rate: 90_000) == century)
    for ticks in stride(from: Int64(-1000), to: 1000, by: 7) {
      #expect(SampleTime.samples(SampleTime.nanoseconds(ticks, rate: 90_000), rate: 90_000) == ticks)
    }
  }
}
