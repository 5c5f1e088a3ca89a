// Binary messages: a 32-bit little-endian length, that many bytes of JSON, the payload.

const decoder = new TextDecoder();

/** Throws a `RangeError` where the length does not fit the message. */
export function parseBinary(buffer) {
  const view = new DataView(buffer);
  const length = view.getUint32(0, true);
  if (length > buffer.byteLength - 4) throw new RangeError(`a header of ${length} bytes in ${buffer.byteLength}`);
  const header = JSON.parse(decoder.decode(new Uint8Array(buffer, 4, length)));
  return { header, payload: new Uint8Array(buffer, 4 + length) };
}

/** The JPEGs of a frame, `[{ y, height, bytes: Uint8Array }]`. */
export function stripesOf(header, payload) {
  let start = 0;
  return header.stripes.map(({ y, height, bytes }) => {
    if (start + bytes > payload.length) throw new RangeError("the stripes are longer than the message");
    const part = payload.subarray(start, start + bytes);
    start += bytes;
    return { y, height, bytes: part };
  });
}
