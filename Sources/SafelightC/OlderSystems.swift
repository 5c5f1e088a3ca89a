import Libc

// glibc 2.35 has new versions of hypot and hypotf, which would be all that keeps the library from systems with glibc 2.34,
// such as RHEL 9. `.ci/link-library` has the linker call these instead (--wrap).

@_cdecl("__wrap_hypot")
public func distance(_ x: Double, _ y: Double) -> Double {
  let (short, long) = (min(x.magnitude, y.magnitude), max(x.magnitude, y.magnitude))
  if x.isInfinite || y.isInfinite { return .infinity }
  if x.isNaN || y.isNaN { return .nan }
  guard long > 0 else { return 0 }
  // Relative to the longer side, squares neither overflow nor vanish.
  let ratio = short / long
  return long * (1 + ratio * ratio).squareRoot()
}

@_cdecl("__wrap_hypotf")
public func distance(_ x: Float, _ y: Float) -> Float {
  if x.isInfinite || y.isInfinite { return .infinity }
  return Float((Double(x) * Double(x) + Double(y) * Double(y)).squareRoot())
}
