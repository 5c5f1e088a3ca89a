import FrameCore
import Rendering

extension ProfileReport.Machine {
  /// The machine that this process runs on.
  static var current: Self {
    Self(
      processor: HostMachine.processor, cores: HostMachine.coreCount,
      instructionSet: CPURenderer.instructionSet, system: HostMachine.system,
      release: SafelightVersion.current, date: UTCTime.now)
  }
}
