/// Calls a function of a shim that writes a message, such as why it failed, into a buffer.
///
/// - Parameter capacity: the bytes that the shim's header asks for.
/// - Returns: the function's result, and the message; empty if there is none.
func withMessage<Result>(_ capacity: some BinaryInteger, _ call: (UnsafeMutablePointer<CChar>?) -> Result)
  -> (
    Result, String
  )
{
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(capacity)) { buffer in
    buffer.initialize(repeating: 0)
    let result = call(buffer.baseAddress)
    return (result, String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
}
