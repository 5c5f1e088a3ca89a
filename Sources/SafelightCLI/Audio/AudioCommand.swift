import ArgumentParser
import Safelight

struct AudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audio",
    abstract: "Lists sound devices, records sound by itself, measures it, lets it be heard.",
    discussion: """
      A microphone is called by its name or id from “safelight audio devices”, or by
      ALSA's name, such as hw:1,0. “default” is shared with other programs; synthetic
      needs no device: a beep at each second over soft noise.

      Examples:
        safelight audio devices
        safelight audio record -o take.wav --max-duration 5m
        safelight audio meter --seconds 30
        safelight audio meter clip.mp4 --json
        safelight audio monitor --microphone hw:1,0
      """,
    subcommands: [
      AudioDevicesCommand.self, AudioRecordCommand.self, AudioMeterCommand.self, AudioMonitorCommand.self,
    ])
}
