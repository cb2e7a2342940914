// The few public types of the lower modules stand in this module's own signatures: errors, storage
// classes, secrets, providers. Everything else down there is `package`.
@_exported public import NacreCrypto
@_exported public import NacreSQLite
