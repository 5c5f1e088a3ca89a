/// An edit as a sidecar for darktable.
public enum DarktableSidecar {
  /// Exposure (version 6), white balance (version 3) and contrast (`colisa`, version 1): parameters are little-endian
  /// structures in hexadecimal digits.
  public static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:darktable="http://darktable.sf.net/"
       darktable:xmp_version="4"
       darktable:raw_params="0"
       darktable:auto_presets_applied="1"
       darktable:history_end="3"
       darktable:iop_order_version="2">
       <darktable:history>
        <rdf:Seq>
         <rdf:li darktable:num="0" darktable:operation="exposure" darktable:enabled="1"
          darktable:modversion="6" darktable:params="00000000000000009a99993e00004842000080c000000000"
          darktable:multi_name="" darktable:multi_priority="0"/>
         <rdf:li darktable:num="1" darktable:operation="temperature" darktable:enabled="1"
          darktable:modversion="3" darktable:params="3d0a873f0000803f3333733f0000803f"
          darktable:multi_name="" darktable:multi_priority="0"/>
         <rdf:li darktable:num="2" darktable:operation="colisa" darktable:enabled="1"
          darktable:modversion="1" darktable:params="cdcccc3d0000000000000000"
          darktable:multi_name="" darktable:multi_priority="0"/>
        </rdf:Seq>
       </darktable:history>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>

    """
}
