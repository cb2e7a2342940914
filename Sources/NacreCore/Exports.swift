// An application that imports this module needs a store, too, and the types by which a migration
// describes its conversions.
@_exported public import NacreStore
@_exported public import NacreUpkeep
