import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
  /// The errors of attributes that contradict the property's type or another attribute.
  var attributeDiagnostics: [Diagnostic] {
    sealingDiagnostics + columnDiagnostics + relationshipDiagnostics
  }

  private var columnDiagnostics: [Diagnostic] {
    guard let column = attributes.column else { return [] }
    var found: [Diagnostic] = []
    if let name = column.name, name.literalText == nil {
      found.append(MacroDiagnostic.notALiteral.at(name))
    }
    func drop(_ argument: LabeledExprSyntax) -> [FixIt] {
      [.remove([argument], of: column.attribute, from: variable)]
    }
    if let former = column.renamedFrom {
      if former.expression.literalText == nil {
        found.append(MacroDiagnostic.notALiteral.at(former.expression))
      } else if isRenamedFromNothing(column) {
        found.append(MacroDiagnostic.notRenamed(name).at(former, fixIts: drop(former)))
      }
    }
    if let dates = column.dates, type.isKnownNotDate {
      found.append(MacroDiagnostic.datesOfOther(name).at(dates, fixIts: drop(dates)))
    }
    if let fullText = column.fullText, fullText.expression.trimmedDescription != "false" {
      let fixIts = drop(fullText)
      if isSealed {
        found.append(MacroDiagnostic.encryptedFullText(name).at(fullText, fixIts: fixIts))
      } else if type.isKnownNotText || type.isReference {
        found.append(MacroDiagnostic.fullTextOfOther(name).at(fullText, fixIts: fixIts))
      }
    }
    guard let sealing = attributes.sealing?.attribute else { return found }
    for (argument, label) in [(column.unique, "unique"), (column.indexed, "searchable")] {
      guard let argument, argument.expression.trimmedDescription != "false" else { continue }
      var fixIts = drop(argument)
      if argument.expression.isTrue {
        let move = FixIt.move(argument, of: column.attribute, to: sealing, as: label, in: variable)
        fixIts.insert(move, at: 0)
      }
      let diagnostic = MacroDiagnostic.encryptedColumn(argument.label?.text ?? "", label)
      found.append(diagnostic.at(argument, fixIts: fixIts))
    }
    if let argument = column.defaultValue, !argument.expression.isNilLiteral {
      found.append(MacroDiagnostic.encryptedDefault.at(argument, fixIts: drop(argument)))
    }
    return found
  }

  /// Whether the former name is empty, or is the present name of both the property and its column.
  private func isRenamedFromNothing(_ column: ColumnAttribute) -> Bool {
    let former = column.renamedFrom?.expression.literalText
    return former?.isEmpty == true || (former == name && columnName == name)
  }

  private var relationshipDiagnostics: [Diagnostic] {
    guard let relationship = attributes.relationship else { return [] }
    if isSealed || type.isKnownValue {
      let attribute = relationship.attribute
      let fixIt = FixIt.remove(attribute, from: variable)
      return [MacroDiagnostic.relationshipOfValue.at(attribute, fixIts: [fixIt])]
    }
    return ruleDiagnostics(relationship) + inverseDiagnostics(relationship)
      + tableDiagnostics(relationship)
  }

  private func ruleDiagnostics(_ relationship: RelationshipAttribute) -> [Diagnostic] {
    guard type.isReference else { return [] }
    return relationship.rules.map { rule in
      let diagnostic: MacroDiagnostic =
        rule.expression.isMember("cascade") ? .cascadeOverLink : .ruleOfLink(rule.label?.text ?? "")
      return diagnostic.at(
        rule,
        fixIts: [.remove([rule], of: relationship.attribute, from: variable)]
      )
    }
  }

  private func tableDiagnostics(_ relationship: RelationshipAttribute) -> [Diagnostic] {
    guard let table = relationship.table else { return [] }
    let fixIt = FixIt.remove([table], of: relationship.attribute, from: variable)
    if type.isToOne { return [MacroDiagnostic.tableOfOne.at(table, fixIts: [fixIt])] }
    if relationship.inverse != nil {
      return [MacroDiagnostic.tableOfInverse.at(table, fixIts: [fixIt])]
    }
    if table.expression.literalText != nil { return [] }
    return [MacroDiagnostic.notALiteral.at(table.expression)]
  }

  private func inverseDiagnostics(_ relationship: RelationshipAttribute) -> [Diagnostic] {
    guard let inverse = relationship.inverse, type.isToOne else { return [] }
    var fixIts = [FixIt.remove([inverse], of: relationship.attribute, from: variable)]
    if let written = binding.typeAnnotation?.type.as(OptionalTypeSyntax.self), !type.isReference {
      let link = FixIt.changeType(TypeSyntax(written), to: "Link<\(written.wrappedType.trimmed)>?")
      fixIts.insert(link, at: 0)
    }
    return [MacroDiagnostic.inverseToOne.at(inverse, fixIts: fixIts)]
  }
}
