// The public types of the modules below stand in this module's own signatures: values, storage
// classes, secrets, providers. Everything else down there is `package`.
@_exported public import NacreCrypto
@_exported public import NacreEngine
