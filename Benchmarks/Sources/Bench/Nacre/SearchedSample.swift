import NacreCore

/// A sealed property that can be searched by the default 16 bits.
final class SearchedSample {
  var plate = "" { didSet { entityState.markChanged(0) } }

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    plate = try row.open(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.seal(plate, at: 0)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(SearchedSample.self, name: "SearchedSample")
    schema.add("plate", \SearchedSample.plate, sealed: NacreCore.SealedOptions(isSearchable: true))
    return schema.build()
  }()
}

extension SearchedSample: NacreCore.Entity {}
