extension PhotoFileFormat {
  /// The file name extensions of all readable formats, in lower case without a dot, used to find the pictures in a
  /// folder. Reading a file depends on its content only.
  public static let readablePathExtensions: Set<String> =
    picturePathExtensions.union(CameraRaw.pathExtensions)

  /// The subset of `readablePathExtensions` that needs no developing.
  public static let picturePathExtensions: Set<String> =
    Set(allCases.flatMap(\.pathExtensions)).union(
      FileSignature.ReadOnlyFormat.allCases.flatMap(\.pathExtensions))
}
