import AllocationCounter
import FrameCore
import Libc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite("Allocations")
struct AllocationTests {
  /// The allocations of this thread while `body` runs for the second time.
  private func allocations(_ body: () -> Void) -> Int {
    body()
    let before = allocation_counter_of_this_thread()
    body()
    return allocation_counter_of_this_thread() - before
  }

  @Test func streamsAllocateNothing() throws {
    let scene = Sphere.noise(4 * 500, seed: 91)
    var (frames, stereo) = (scene, [Float](repeating: 0, count: 2 * 500))
    let array = try TetrahedralArray(
      calibration: .responses([[1], [0.9, 0.1], [1], [1]], sampleRate: 48_000))
    var converter = try CapsuleConverter(array, sampleRate: 48_000)
    var rotator = AmbisonicRotator()
    var encoder = AmbisonicEncoder(Direction(azimuth: 10))
    var meter = DirectionMeter(sampleRate: 48_000)
    let decoder = StereoDecoder()
    var turn = 0.0
    let count = scene.withUnsafeBufferPointer { scene in
      frames.withUnsafeMutableBufferPointer { frames in
        stereo.withUnsafeMutableBufferPointer { stereo in
          allocations {
            turn += 30
            rotator.rotation = Rotation(yaw: turn, pitch: turn)
            encoder.direction = Direction(azimuth: turn)
            converter.process(scene, into: frames)
            rotator.process(UnsafeBufferPointer(frames), into: frames)
            AmbisonicFormat.ambiX.convert(to: .fuMa, scene, into: frames)
            encoder.process(UnsafeBufferPointer(rebasing: scene[..<500]), into: frames)
            meter.process(UnsafeBufferPointer(frames))
            decoder.process(UnsafeBufferPointer(frames), into: stereo)
          }
        }
      }
    }
    #expect(count == 0)
  }

  @Test(.enabled(if: Libc.access(HeadResponses.defaultPath, R_OK) == 0, "libmysofa1 is missing"))
  func binauralStreamsAllocateNothing() throws {
    var monitor = try BinauralMonitor(HeadResponses(sampleRate: 48_000))
    let scene = Sphere.noise(4 * 500, seed: 92)
    var stereo = [Float](repeating: 0, count: 2 * 500)
    var turn = 0.0
    let count = scene.withUnsafeBufferPointer { scene in
      stereo.withUnsafeMutableBufferPointer { stereo in
        allocations {
          turn += 30
          monitor.headRotation = Rotation(yaw: turn)
          monitor.process(scene, into: stereo)
        }
      }
    }
    #expect(count == 0)
  }
}
