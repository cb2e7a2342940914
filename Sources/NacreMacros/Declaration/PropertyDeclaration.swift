import SwiftDiagnostics
import SwiftSyntax

/// A stored property of an entity: its declaration and its attributes.
struct PropertyDeclaration {
  /// The name as written, with its backticks if it needs them.
  let identifier: TokenSyntax
  let variable: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let attributes: PropertyAttributes
  let type: PropertyType

  /// Parses a property; nil if the binding does not declare one name.
  init?(
    parsing variable: VariableDeclSyntax,
    binding: PatternBindingSyntax,
    attributes: PropertyAttributes
  ) {
    guard let identifier = binding.identifier else { return nil }
    self.variable = variable
    self.binding = binding
    self.identifier = identifier.trimmed
    self.attributes = attributes
    if let written = binding.typeAnnotation?.type {
      type = PropertyType(written)
    } else {
      type = binding.initializer.map { PropertyType(inferredFrom: $0.value) } ?? .other
    }
  }

  /// The name without backticks; the schema uses it.
  var name: String { identifier.plainName }

  /// The name of the stored property that holds the value.
  var storage: String { "_\(name)" }

  /// The name of the property's column, or nil if it is not a literal.
  var columnName: String? {
    guard let written = attributes.column?.name else { return name }
    return written.literalText
  }

  var isSealed: Bool { attributes.sealing != nil }

  /// Whether the property is a child, unless the compiler finds that its type is a value.
  var mayBeChild: Bool { mayBeReference && !type.isReference }

  /// Whether a save writes the changes of the property's children.
  ///
  /// It does if the property may hold several children, or one child that is deleted when it is taken out.
  var mayBeMerged: Bool {
    mayBeChild && (type.mayBeToMany || attributes.relationship?.removed != nil)
  }

  /// Whether the property is a child or a link, unless the compiler finds that its type is a value.
  var mayBeReference: Bool { !isSealed && !type.isKnownValue }
}

extension VariableDeclSyntax {
  var isStatic: Bool { modifiers.isStatic }

  /// The property that the variable declares first; nil if it does not declare one by its name.
  func property(_ attributes: PropertyAttributes) -> PropertyDeclaration? {
    bindings.first.flatMap {
      PropertyDeclaration(parsing: self, binding: $0, attributes: attributes)
    }
  }
}

extension PatternBindingSyntax {
  /// Whether the binding is stored in the object, which means that it has no getter.
  var isStored: Bool {
    switch accessorBlock?.accessors {
    case nil: true
    case .getter: false
    case .accessors(let accessors): accessors.allSatisfy(\.isObserver)
    }
  }

  /// Whether the property already has that observer.
  func hasObserver(_ keyword: Keyword) -> Bool {
    guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
    return accessors.contains { $0.accessorSpecifier.tokenKind == .keyword(keyword) }
  }

  /// The declared name, or nil if the binding does not declare one name.
  var identifier: TokenSyntax? { pattern.as(IdentifierPatternSyntax.self)?.identifier }
}

extension AccessorDeclSyntax {
  fileprivate var isObserver: Bool {
    [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind)
  }
}
