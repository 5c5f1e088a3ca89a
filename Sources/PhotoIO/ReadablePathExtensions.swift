extension PhotoFileFormat {
  /// The file name extensions of all that is read, in lower case and without a dot: by these a folder's pictures are
  /// told from its other files. Reading a file goes by its content.
  public static let readablePathExtensions: Set<String> =
    picturePathExtensions.union(CameraRaw.pathExtensions)

  /// Those of `readablePathExtensions` that need no developing.
  public static let picturePathExtensions: Set<String> =
    Set(allCases.flatMap(\.pathExtensions)).union(
      FileSignature.ReadOnlyFormat.allCases.flatMap(\.pathExtensions))
}
