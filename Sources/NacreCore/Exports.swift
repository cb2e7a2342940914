// The few public types of the lower rooms stand in NacreCore's own signatures:
// errors, storage classes, secrets, providers. Everything else down there is `package`.
@_exported public import NacreCrypto
@_exported public import NacreSQLite
