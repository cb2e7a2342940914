import Foundation
import NacreCore

/// The terminal that the command was started from, whatever its input and output are connected to.
enum Terminal {
  private static let interruptByte: UInt8 = 3

  /// Asks for a line that is not shown while it is typed.
  ///
  /// - Parameter prompt: what to print before.
  /// - Returns: the line without its end.
  /// - Throws: `CommandFailure` without a terminal, or with status `interrupted` for control-C.
  static func askSecret(_ prompt: String) throws -> SecretBytes {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else {
      throw CommandFailure(
        status: .badSecret,
        message: "there is no terminal to ask for the passphrase on"
      )
    }
    defer { close(terminal) }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else {
      throw CommandFailure(status: .badSecret, message: "the terminal can't be set up")
    }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    // A signal would end the process and leave the terminal silent: control-C ends the line instead.
    silent.c_lflag &= ~tcflag_t(ISIG)
    withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VEOL)] = interruptByte }
    guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
      throw CommandFailure(status: .badSecret, message: "the terminal can't be set up")
    }
    defer { tcsetattr(terminal, TCSAFLUSH, &settings) }
    write(prompt, to: terminal)
    defer { write("\n", to: terminal) }
    let secret = try SecretLine.read(from: terminal, until: interruptByte)
    guard secret.withUnsafeBytes({ $0.last != interruptByte }) else {
      throw CommandFailure(status: .interrupted, message: "interrupted")
    }
    return secret
  }

  private static func write(_ text: String, to terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(terminal, bytes, bytes.count)
  }
}
