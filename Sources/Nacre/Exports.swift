// `import Nacre` is all that an application needs.
@_exported public import NacreCore
@_exported public import NacreUpkeep
