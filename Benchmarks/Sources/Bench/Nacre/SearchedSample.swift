// swift-format-ignore-file: NoLeadingUnderscores
// The names with an underscore are those that the macro writes.

import NacreCore

/// A sealed property that can be searched by the default 16 bits.
final class SearchedSample {
  var plate: String {
    @storageRestrictions(initializes: _plate)
    init(initialValue) {
      _plate = initialValue
    }
    get {
      entityObservation.access(self, \.plate)
      return _plate
    }
    set {
      entityObservation.willSet(self, \.plate)
      _plate = newValue
      entityState.markChanged(0)
      entityObservation.didSet(self, \.plate)
    }
    _modify {
      entityObservation.willSet(self, \.plate)
      defer {
        entityState.markChanged(0)
        entityObservation.didSet(self, \.plate)
      }
      yield &_plate
    }
  }
  private var _plate = ""

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    _plate = try row.open(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.seal(_plate, at: 0)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(SearchedSample.self, name: "SearchedSample")
    schema.add("plate", \SearchedSample.plate, sealed: NacreCore.SealedOptions(isSearchable: true))
    return schema.build()
  }()
}

nonisolated extension SearchedSample: NacreCore.Entity, NacreCore.ObservableEntity {}
