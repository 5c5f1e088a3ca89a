import Rendering
import Libc

extension ProfileReport {
  /// This report with numbers rounded to five significant digits: the measurements are no more precise.
  package var rounded: ProfileReport {
    var report = self
    for index in roofline.points.indices {
      Self.round(&report.roofline.points[index].copy)
      Self.round(&report.roofline.points[index].read)
      Self.round(&report.roofline.points[index].write)
      Self.round(&report.roofline.points[index].triad)
    }
    Self.round(&report.roofline.frameCopyMilliseconds)
    if var device {
      Self.round(&device.copy)
      Self.round(&device.aloneMilliseconds)
      device.residentMilliseconds = device.residentMilliseconds.map(Self.rounded)
      device.residentFramesPerSecond = device.residentFramesPerSecond.map(Self.rounded)
      device.residentOfCopy = device.residentOfCopy.map(Self.rounded)
      report.device = device
    }
    for path in FrameTimes.numbers { Self.round(&report.frames[keyPath: path]) }
    report.frames.milliseconds = frames.milliseconds.map(Self.rounded)
    report.interruptions = interruptions?.rounded(Self.rounded)
    for index in stages.indices {
      for path in StageCost.numbers { Self.round(&report.stages[index][keyPath: path]) }
      report.stages[index].samples = stages[index].samples.map(Self.rounded)
    }
    report.bake?.maximumDeltaE2000 = Self.rounded(bake?.maximumDeltaE2000 ?? 0)
    report.bake?.meanDeltaE2000 = Self.rounded(bake?.meanDeltaE2000 ?? 0)
    report.bake?.milliseconds = Self.rounded(bake?.milliseconds ?? 0)
    report.bake?.samples = bake?.samples?.map(Self.rounded)
    for index in filters.indices {
      Self.round(&report.filters[index].aloneMilliseconds)
      Self.round(&report.filters[index].inPlanMilliseconds)
    }
    for index in scaling.indices {
      Self.round(&report.scaling[index].milliseconds)
      Self.round(&report.scaling[index].framesPerSecond)
      Self.round(&report.scaling[index].efficiency)
    }
    for index in capacities.indices {
      report.capacities[index].p99Milliseconds = capacities[index].p99Milliseconds.map(Self.rounded)
    }
    return report
  }

  private static func round(_ value: inout Double) { value = rounded(value) }

  private static func rounded(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value.isFinite ? value : 0 }
    let decimals = 4 - Int(log10(abs(value)).rounded(.down))
    // Powers of ten up to 10²² are exact, so one division rounds to the nearest decimal number.
    guard abs(decimals) <= 22 else { return 0 }
    let scale = pow(10, Double(abs(decimals)))
    return decimals >= 0 ? (value * scale).rounded() / scale : (value / scale).rounded() * scale
  }
}

extension ProfileReport.FrameTimes {
  fileprivate static var numbers: [WritableKeyPath<Self, Double>] {
    [\.p50, \.p90, \.p99, \.p999, \.minimum, \.maximum, \.mean, \.jitter, \.framesPerSecond]
  }
}

extension ProfileReport.StageCost {
  fileprivate static var numbers: [WritableKeyPath<Self, Double>] {
    [
      \.milliseconds, \.nanosecondsPerPixel, \.megapixelsPerSecond, \.gigabytesPerSecond, \.share,
      \.ofRoofline,
    ]
  }
}

extension ProfileReport.Interruptions {
  fileprivate func rounded(_ round: (Double) -> Double) -> Self {
    var report = self
    for path: WritableKeyPath<Self, Double> in [\.evenness, \.evennessUndisturbed, \.waitedMilliseconds] {
      report[keyPath: path] = round(report[keyPath: path])
    }
    report.stolenMilliseconds = stolenMilliseconds.map(round)
    for index in slowest.indices {
      report.slowest[index].milliseconds = round(slowest[index].milliseconds)
      report.slowest[index].waitedMilliseconds = round(slowest[index].waitedMilliseconds)
    }
    return report
  }
}
