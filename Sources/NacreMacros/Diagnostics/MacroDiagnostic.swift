import SwiftDiagnostics
import SwiftSyntax

/// What the macros have to say about a declaration that they can't work with as it stands.
///
/// The messages lie in extensions, a file a subject: an entity's class, its properties, their attributes; a DAO's protocol.
struct MacroDiagnostic: DiagnosticMessage, Equatable {
  /// The diagnostic's name, which never changes once it is released.
  let id: String
  /// What is wrong and what to do instead.
  let message: String
  /// An error unless the expansion is right as it stands.
  var severity = DiagnosticSeverity.error

  var diagnosticID: MessageID { MessageID(domain: "Nacre", id: id) }

  init(_ id: String, _ message: String) {
    self.id = id
    self.message = message
  }

  /// The diagnostic at a place, with the edits that would settle it.
  func at(_ node: some SyntaxProtocol, fixIts: [FixIt] = []) -> Diagnostic {
    Diagnostic(node: node, message: self, fixIts: fixIts)
  }
}

/// The title of an edit that settles a diagnostic.
struct MacroFixIt: FixItMessage, Equatable {
  let message: String
  let fixItID: MessageID

  init(_ id: String, _ message: String) {
    self.message = message
    fixItID = MessageID(domain: "Nacre", id: id)
  }
}
