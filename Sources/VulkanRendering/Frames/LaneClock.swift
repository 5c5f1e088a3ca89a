import Rendering

/// The moments of a job at which the device reads its clock, in order.
enum LaneClock: Int, CaseIterable {
  case begin, uploaded, denoised, downsampled, rendered, downloaded

  /// Which steps a job has. Two readings of the clock differ even with no step between them.
  struct Steps: Sendable, Hashable {
    var uploads = false
    var denoises = false
    var downsamples = false
    var downloads = false
  }
}

extension FrameTimes {
  /// Returns the times with those of the steps on the device; nil if it has no clock.
  func clocked(by recording: Recording, _ steps: LaneClock.Steps) -> FrameTimes? {
    let count = LaneClock.allCases.count
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { clocks in
      clocks.initialize(repeating: 0)
      guard recording.read(clocks) else { return nil }
      func seconds(_ has: Bool, _ from: LaneClock, _ to: LaneClock) -> Double {
        let (begin, end) = (clocks[from.rawValue], clocks[to.rawValue])
        return has && end > begin ? Double(end - begin) / 1e9 : 0
      }
      var times = self
      times.upload = seconds(steps.uploads, .begin, .uploaded)
      times.denoising = seconds(steps.denoises, .uploaded, .denoised)
      times.downsampling = seconds(steps.downsamples, .denoised, .downsampled)
      times.kernel = seconds(true, .downsampled, .rendered)
      times.download = seconds(steps.downloads, .rendered, .downloaded)
      return times
    }
  }
}
