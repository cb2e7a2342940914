#if Tool
import Foundation
import NacreStore

/// The terminal that started the command, whatever its input and output are connected to.
enum Terminal {
  private static let interruptByte: UInt8 = 3
  /// The longest answer, which is far more than anybody needs; the terminal's own limit is higher.
  private static let maximumAnswer = 256

  /// Asks for a line and does not show it while it is typed.
  ///
  /// - Parameters:
  ///   - prompt: the text to print first.
  ///   - nobody: the failure without a terminal.
  /// - Returns: the line without its end.
  /// - Throws: `CommandFailure` without a terminal, or with status `interrupted` for control-C.
  static func askSecret(
    _ prompt: String,
    otherwise nobody: CommandFailure = CommandFailure(
      .badSecret,
      "there is no terminal on which to ask for the passphrase"
    )
  ) throws -> SecretBytes {
    guard let terminal = open() else { throw nobody }
    defer { close(terminal) }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else {
      throw CommandFailure(.badSecret, "the terminal can't be set up")
    }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    // A signal would end the process and leave the terminal silent, so control-C ends the line instead.
    silent.c_lflag &= ~tcflag_t(ISIG)
    withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VEOL)] = interruptByte }
    guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
      throw CommandFailure(.badSecret, "the terminal can't be set up")
    }
    defer { tcsetattr(terminal, TCSAFLUSH, &settings) }
    write(prompt, to: terminal)
    defer { write("\n", to: terminal) }
    let secret = try SecretLine.read(from: terminal, until: interruptByte)
    guard secret.withUnsafeBytes({ $0.last != interruptByte }) else {
      throw CommandFailure(.interrupted, "interrupted")
    }
    return secret
  }

  /// Asks for a line and shows it while it is typed.
  ///
  /// - Parameter prompt: the text to print first.
  /// - Returns: the line without its end; nil if there is no terminal.
  static func ask(_ prompt: String) -> String? {
    guard let terminal = open() else { return nil }
    defer { close(terminal) }
    write(prompt, to: terminal)
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < maximumAnswer, read(terminal, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// The width of the terminal that a stream is connected to.
  ///
  /// - Parameter descriptor: the stream, such as `STDOUT_FILENO`.
  /// - Returns: the number of columns; nil if there is no terminal.
  static func width(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) != 0 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func open() -> Int32? {
    let terminal = Foundation.open("/dev/tty", O_RDWR | O_CLOEXEC)
    return terminal >= 0 ? terminal : nil
  }

  private static func write(_ text: String, to terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(terminal, bytes, bytes.count)
  }
}
#endif
