#if PostgreSQL
import CPQ
import Foundation
import NacreEngine

/// Where a database is: a URL, with what libpq's service file and environment add to it.
///
/// Only ``parameters(for:)`` has the password, if the URL has one.
package struct ServerAddress: Sendable {
  /// libpq's parameters in the URL, by their keywords.
  private let given: [String: String]
  /// The URL without a password, for people.
  package let shown: String

  /// Reads a URL that begins with `postgresql://` or `postgres://` (PostgreSQL's documentation, section 34.1.1.2).
  ///
  /// - Throws: `HomeError` of kind `cannotOpen` for a malformed URL; it never shows the URL, which can hold a password.
  package init(url: String) throws {
    guard url.isServerURL else {
      throw HomeError(.cannotOpen, "the address is no URL of a PostgreSQL server")
    }
    guard !url.utf8.contains(0) else {
      throw HomeError(.cannotOpen, "the URL of the server contains a NUL")
    }
    try ServerAddress.refuseUnencoded(url)
    // libpq's own message would quote the URL.
    guard let options = PQconninfoParse(url, nil) else {
      throw HomeError(.cannotOpen, "the URL of the server is malformed")
    }
    defer { PQconninfoFree(options) }
    given = ServerAddress.values(options)
    guard
      (given["port"] ?? "").utf8.allSatisfy({ $0 == UInt8(ascii: ",") || (48...57).contains($0) })
    else { throw ServerAddress.unencoded }
    shown = ServerAddress.shown(given)
  }

  /// Throws if a part of what stands before the `@` could be taken for the host or the database, and so be shown.
  ///
  /// libpq takes what comes before the first `@` for the user and his password, unless a slash comes first.
  private static func refuseUnencoded(_ url: String) throws {
    // By bytes as libpq reads it: an at sign with an accent behind it would be another character.
    let (at, slash) = (UInt8(ascii: "@"), UInt8(ascii: "/"))
    let rest = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    let first = rest.first { $0 == at || $0 == slash }
    let place = first == at ? rest.drop { $0 != at }.dropFirst() : rest
    if place.prefix(while: { $0 != UInt8(ascii: "?") }).contains(at) { throw unencoded }
  }

  private static let unencoded = HomeError(
    .cannotOpen,
    """
    the URL of the server is malformed; it is not shown, because it may hold a password: write %40 for an @ in the \
    user or the password, and %2F for a slash
    """
  )

  /// Whether the URL itself has a password or a private key's passphrase, which whoever sees the URL can read.
  package var hasPassword: Bool { given["password"] != nil || given["sslpassword"] != nil }

  /// Returns libpq's parameters of a connection.
  ///
  /// - Parameter settings: The settings of the connection.
  /// - Returns: The keywords and their values.
  /// - Throws: `HomeError` for a server on another machine that would not have to prove who it is, unless the settings
  ///   ask for that.
  func parameters(for settings: PostgresSettings) throws -> [String: String] {
    try complete(for: settings).parameters
  }

  /// Returns the same, and what libpq makes of them with the service file, the environment and its defaults.
  private func complete(
    for settings: PostgresSettings
  ) throws -> (parameters: [String: String], effective: [String: String]) {
    var parameters = given
    parameters["client_encoding"] = "UTF8"
    if given["fallback_application_name"] == nil {
      parameters["fallback_application_name"] = "nacre"
    }
    // A peer that is gone shows after half a minute, and not after the two hours of TCP.
    if given["tcp_user_timeout"] == nil { parameters["tcp_user_timeout"] = "30000" }
    if given["keepalives_idle"] == nil { parameters["keepalives_idle"] = "20" }
    if given["keepalives_interval"] == nil { parameters["keepalives_interval"] = "5" }
    let effective = try ServerAddress.effective(parameters)
    try addTransportSecurity(to: &parameters, effective, settings)
    return (parameters, effective)
  }

  /// Returns libpq's parameters of the attempts to connect, one for each host, in the order in which they are made.
  ///
  /// libpq would make one after another within a single wait of the session's, and a host that is silent, as one without
  /// power is, would take the time of all others. What libpq makes of an empty name in a list stays its own.
  ///
  /// - Parameter settings: The settings of the connection.
  /// - Returns: The keywords and their values, at least one set of them.
  /// - Throws: As ``parameters(for:)``.
  func attempts(for settings: PostgresSettings) throws -> [[String: String]] {
    let (all, effective) = try complete(for: settings)
    let lists = ["host", "hostaddr", "port"].map { ($0, ServerAddress.items(effective[$0])) }
      .filter { $0.1 != [""] }
    let count = lists.map(\.1.count).max() ?? 1
    // One port can be that of all hosts.
    let fit = lists.allSatisfy { $0.1.count == count || ($0.0 == "port" && $0.1.count == 1) }
    guard count > 1, fit, !lists.contains(where: { $0.1.contains("") }) else { return [all] }
    var order = Array(0..<count)
    if effective["load_balance_hosts"] == "random" { order.shuffle() }
    let passes: [String?] =
      effective["target_session_attrs"] == "prefer-standby" ? ["standby", "any"] : [nil]
    return passes.flatMap { wanted in
      order.map { index in
        var one = all
        for (name, values) in lists { one[name] = String(values[min(index, values.count - 1)]) }
        if let wanted { one["target_session_attrs"] = wanted }
        return one
      }
    }
  }

  /// Adds what keeps others on the way to the server from reading, or from answering in its place.
  private func addTransportSecurity(
    to parameters: inout [String: String],
    _ effective: [String: String],
    _ settings: PostgresSettings
  ) throws {
    if ServerAddress.isLocal(effective) || !settings.requiresVerifiedServer { return }
    let mode = effective["sslmode"] ?? ""
    guard mode == "verify-full" || (mode == "prefer" && given["sslmode"] == nil) else {
      throw HomeError(
        .cannotOpen,
        """
        the server is on another machine, and sslmode=\(mode) does not prove who it is; use \
        sslmode=verify-full (an application can set `requiresVerifiedServer` to false)
        """
      )
    }
    parameters["sslmode"] = "verify-full"
    // GSS would take the place of TLS, unseen.
    if given["gssencmode"] == nil { parameters["gssencmode"] = "disable" }
    if let file = ServerAddress.systemCertificates(unless: effective["sslrootcert"]) {
      parameters["sslrootcert"] = file
    }
  }

  /// Returns the file with the system's certificates if the user has none of his own; nil to leave the choice to libpq.
  private static func systemCertificates(unless given: String?) -> String? {
    guard given?.isEmpty ?? true else { return nil }
    let own = NSHomeDirectory() + "/.postgresql/root.crt"
    let system = ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"]
    return ([own] + system).first { FileManager.default.fileExists(atPath: $0) }
  }

  /// Returns whether every host of the parameters is this machine.
  static func isLocal(_ parameters: [String: String]) -> Bool {
    let hosts = items(parameters["host"])
    let addresses = items(parameters["hostaddr"])
    return (0..<max(hosts.count, addresses.count)).allSatisfy { index in
      // `hostaddr` is where libpq connects, whatever `host` says, unless this one has none.
      let address = addresses.indices.contains(index) ? addresses[index] : ""
      let host = !address.isEmpty || !hosts.indices.contains(index) ? address : hosts[index]
      // libpq takes a path, an abstract socket and no host at all for a Unix socket.
      return host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
        || host == "::1" || isLoopback(host)
    }
  }

  private static func items(_ list: String?) -> [Substring] {
    (list ?? "").split(separator: ",", omittingEmptySubsequences: false)
  }

  private static func isLoopback(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  // MARK: libpq's parameters

  /// Returns the parameters that libpq would use, with those of the service file, the environment and its defaults.
  private static func effective(_ parameters: [String: String]) throws -> [String: String] {
    if parameters["service"] != nil { return try withService(parameters) }
    guard let options = PQconndefaults() else {
      throw HomeError(.cannotOpen, "the parameters of the connection can't be read")
    }
    defer { PQconninfoFree(options) }
    return values(options).merging(parameters) { _, given in given }
  }

  /// Returns the same where the URL names a service, which libpq looks up only when it connects.
  private static func withService(_ parameters: [String: String]) throws -> [String: String] {
    // The next call ends the connection before anything is sent.
    let handle = withParameters(parameters) { PQconnectStartParams($0, $1, 0) }
    guard let handle else { throw HomeError(.cannotOpen, "there is no memory for a connection") }
    defer { PQfinish(handle) }
    guard let options = PQconninfo(handle) else {
      throw HomeError(.cannotOpen, "the parameters of the connection can't be read")
    }
    defer { PQconninfoFree(options) }
    return values(options)
  }

  /// Passes the parameters to libpq as two lists that end with NULL.
  ///
  /// - Parameters:
  ///   - parameters: The parameters.
  ///   - password: A password that takes the place of any other one; nil for none.
  ///   - body: Gets the keywords and their values.
  /// - Returns: What the body returns.
  static func withParameters<R>(
    _ parameters: [String: String],
    password: UnsafePointer<CChar>? = nil,
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
  ) -> R {
    let pairs = parameters.sorted { $0.key < $1.key }
    let keywords = pairs.map { strdup($0.key) }
    let values = pairs.map { strdup($0.value) }
    defer {
      keywords.forEach { free($0) }
      for value in values {
        // One of them can be a password.
        if let value { memset(value, 0, strlen(value)) }
        free(value)
      }
    }
    // The last one of several counts.
    return "password".withCString { keyword in
      body(
        keywords.map { UnsafePointer($0) } + [password.map { _ in keyword }, nil],
        values.map { UnsafePointer($0) } + [password, nil]
      )
    }
  }

  private static func values(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String]
  {
    var values: [String: String] = [:]
    var next = options
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      next += 1
    }
    return values
  }

  /// Writes each of several hosts with its port; one port can be that of all.
  private static func hosts(_ hosts: String, ports: String) -> String {
    let ports = ports.isEmpty ? [] : ports.split(separator: ",", omittingEmptySubsequences: false)
    let hosts = hosts.split(separator: ",", omittingEmptySubsequences: false)
    return hosts.enumerated().map { index, host in
      let port = ports.count == 1 ? ports[0] : ports.indices.contains(index) ? ports[index] : ""
      return port.isEmpty ? String(host) : "\(host):\(port)"
    }.joined(separator: ",")
  }

  private static func shown(_ given: [String: String]) -> String {
    var text = "postgresql://"
    if let user = given["user"] { text += user + "@" }
    let host = given["host"] ?? given["hostaddr"] ?? ""
    let isPath = host.hasPrefix("/") || host.hasPrefix("@")
    text += hosts(isPath ? "" : host, ports: given["port"] ?? "")
    text += "/" + (given["dbname"] ?? "")
    var query: [String] = []
    if isPath { query.append("host=" + host) }
    if let service = given["service"] { query.append("service=" + service) }
    return query.isEmpty ? text : text + "?" + query.joined(separator: "&")
  }
}
#endif
