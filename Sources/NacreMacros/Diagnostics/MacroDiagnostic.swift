import SwiftDiagnostics
import SwiftSyntax

/// A message of the macros about a declaration that they can't expand as it stands.
///
/// The messages are in extensions, one file a subject: an entity's class, its properties, their attributes; a DAO's
/// protocol.
struct MacroDiagnostic: DiagnosticMessage, Equatable {
  /// The diagnostic's name, which never changes once it is released.
  let id: String
  /// A text that says what is wrong and what to do instead.
  let message: String
  /// The severity; an error, unless the expansion is right anyway.
  var severity = DiagnosticSeverity.error

  var diagnosticID: MessageID { MessageID(domain: "Nacre", id: id) }

  init(_ id: String, _ message: String) {
    self.id = id
    self.message = message
  }

  /// Makes the diagnostic at a node, with the edits that would fix it.
  func at(_ node: some SyntaxProtocol, fixIts: [FixIt] = []) -> Diagnostic {
    Diagnostic(node: node, message: self, fixIts: fixIts)
  }
}

/// The title of an edit that fixes a diagnostic.
struct MacroFixIt: FixItMessage, Equatable {
  let message: String
  let fixItID: MessageID

  init(_ id: String, _ message: String) {
    self.message = message
    fixItID = MessageID(domain: "Nacre", id: id)
  }
}
