#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// x^y of the C library; the only place of this module that needs it for colour.
func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }
