#if Tool
/// The version of Nacre, which `nacre --version` prints.
enum Version {
  /// The number of the newest version in CHANGELOG.md.
  static let number = "0.1.0"
}
#endif
