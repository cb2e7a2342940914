#if !Tool
import Foundation

/// Stands in for the command in a build without the trait Tool, which has no parser of arguments.
@main
enum MissingTrait {
  static func main() {
    let message = """
      nacre: this build is without the command. Build it by \
      'swift build --traits Tool --product nacre'.

      """
    // A closed standard error leaves the exit status.
    try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
    exit(69)
  }
}
#endif
