import NacreCrypto
package import NacreEngine

/// A row of `nacre_property`: a property as the file describes it (Vectors/FORMAT.md).
package struct CatalogProperty: Sendable, Equatable {
  package var name: String
  /// The column in the entity's table; nil for a to-many relationship.
  package var column: String?
  /// The type of the column's values, before they are sealed.
  package var type: String
  package var kind: String
  package var target: String?
  package var join: String?
  package var inverse: String?
  /// How the values are sealed; nil if they are not.
  package var sealing: Sealing?
  /// The tokenizer of the full-text index that has the property; nil if none has it.
  package var fullText: Tokenizer?
  /// Whether nil is allowed; nil if the file does not say.
  package var isOptional: Bool?
  /// Whether the class that last used the table lacks this property.
  package var isHidden = false
  /// Whether every row has been sealed since the property began to hide its nils, so that no row
  /// holds NULL.
  package var isFilled = false

  /// Makes a row with the columns that every property has.
  package init(name: String, type: String, kind: String) {
    self.name = name
    self.type = type
    self.kind = kind
  }

  /// How a property's values are sealed.
  package struct Sealing: Sendable, Equatable {
    /// The form of the values in an object's row; if it changes, all rows have to be converted.
    package var form: SealedForm
    package var padding = Padding.none
    package var suite: Suite?
    /// Whether the application's own provider seals the values; the cells are no envelopes then.
    package var isHooked = false

    package init(form: SealedForm) { self.form = form }
  }

  /// Whether the values are sealed.
  package var isSealed: Bool { sealing != nil }

  /// The column of the blind index; nil if there is none.
  package var indexColumn: String? {
    guard let column, sealing?.form.index != nil else { return nil }
    return SealedColumns.indexColumn(of: column)
  }
}

/// The form in which a sealed property is stored in its rows.
package struct SealedForm: Sendable, Equatable {
  /// The blind index; nil if there is none.
  package var index: Index?
  /// Whether nil is stored as an envelope.
  package var hidesNil = false

  package init(index: Index? = nil, hidesNil: Bool = false) {
    self.index = index
    self.hidesNil = hidesNil
  }

  /// A blind index.
  package struct Index: Sendable, Equatable {
    package var bits: Int
    package var normalizer: Normalizer
    package var isUnique: Bool

    package init(bits: Int, normalizer: Normalizer, isUnique: Bool) {
      self.bits = bits
      self.normalizer = normalizer
      self.isUnique = isUnique
    }
  }
}

// MARK: - From and to the file

extension CatalogProperty {
  /// Reads the current row of `CatalogSQL.selectProperties`; columns that the file lacks are NULL.
  ///
  /// - Throws: `schemaMismatch` for a row that this version can't have written.
  init(_ row: any PreparedStatement) throws {
    var cells: [String: Value] = [:]
    for index in 0..<Int32(row.columnCount) {
      cells[row.columnName(at: index)] = row.value(at: index)
    }
    try self.init(cells)
  }

  /// Reads a property from the cells of a row, by the names of their columns.
  ///
  /// - Throws: `schemaMismatch` for a row that this version can't have written.
  init(_ cells: [String: Value]) throws {
    func text(_ column: String) -> String? {
      if case .text(let text)? = cells[column] { text } else { nil }
    }
    func integer(_ column: String) -> Int64? {
      if case .integer(let number)? = cells[column] { number } else { nil }
    }
    for (column, cell) in cells where CatalogTable.propertyColumns.contains(column) {
      guard CatalogTable.fits(cell, column) else {
        throw NacreError(
          .schemaMismatch,
          entity: text("entity"),
          property: text("name"),
          detail: CatalogTable.misfit(column)
        )
      }
    }
    name = text("name") ?? ""
    column = text("column")
    type = text("type") ?? ""
    kind = text("kind") ?? ""
    target = text("target")
    join = text("join")
    inverse = text("inverse")
    isOptional = integer("optional").map { $0 != 0 }
    isHidden = integer("hidden") == 1
    isFilled = integer("filled") == 1
    guard integer("sealed") ?? 0 != 0 else {
      // The normalizer of a plain property is the tokenizer of its full-text index.
      fullText = try text("normalizer").map { name in
        guard let known = Tokenizer(rawValue: name) else {
          throw CatalogProperty.unknown("tokenizer", self.name)
        }
        return known
      }
      return
    }
    var form = SealedForm(hidesNil: integer("hidesNil") == 1)
    if let bits = integer("bits") {
      guard let bits = Int(exactly: bits), (1...256).contains(bits),
        let normalizer = Normalizer(rawValue: text("normalizer") ?? Normalizer.exact.rawValue)
      else { throw CatalogProperty.unknown("blind index", name) }
      form.index = .init(bits: bits, normalizer: normalizer, isUnique: integer("unique") == 1)
    }
    var sealing = Sealing(form: form)
    sealing.isHooked = integer("hooked") == 1
    sealing.padding = text("padding").flatMap(Padding.init(rawValue:)) ?? .none
    if let number = integer("suite") {
      guard let suite = UInt8(exactly: number).flatMap(Suite.init(rawValue:)) else {
        throw CatalogProperty.unknown("suite", name)
      }
      sealing.suite = suite
    }
    self.sealing = sealing
  }

  private static func unknown(_ what: String, _ name: String) -> NacreError {
    NacreError(
      .schemaMismatch,
      detail: "the catalog gives \(name) a \(what) that this version does not know"
    )
  }

  /// Returns the arguments of `CatalogSQL.insertProperty`.
  package func arguments(entity: String) -> [Value] {
    func text(_ value: String?) -> Value { value.map(Value.text) ?? .null }
    func flag(_ value: Bool?) -> Value { value.map { .integer($0 ? 1 : 0) } ?? .null }
    let index = sealing?.form.index
    return [
      .text(entity), .text(name), text(column), .text(type), .integer(isSealed ? 1 : 0),
      .text(kind), text(target), text(join), text(inverse),
      index.map { .integer(Int64($0.bits)) } ?? .null,
      text(isSealed ? index?.normalizer.rawValue : fullText?.rawValue),
      flag(index?.isUnique), flag(sealing?.form.hidesNil), text(sealing?.padding.rawValue),
      sealing?.suite.map { .integer(Int64($0.rawValue)) } ?? .null, flag(isOptional),
      flag(sealing?.isHooked), isHidden ? .integer(1) : .null, isFilled ? .integer(1) : .null,
    ]
  }
}

extension CatalogProperty {
  /// How the values are stored in the file, in words.
  package var storedForm: String { CatalogProperty.storedForm(sealing) }

  package static func storedForm(_ sealing: Sealing?) -> String {
    guard let form = sealing?.form else { return "plain" }
    var words = "sealed"
    if let index = form.index {
      words += ", searchable by \(index.bits) bits (\(index.normalizer.rawValue))"
      if index.isUnique { words += ", unique" }
    }
    return words + (form.hidesNil ? ", nil hidden" : "")
  }

  /// Returns the name of the column that holds an object's position among the children of the
  /// object to which it links (Vectors/FORMAT.md).
  package static func positionColumn(of column: String) -> String { column + "__position" }
}
