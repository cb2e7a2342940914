// An application only needs `import Nacre`. The macros' expansions name NacreCore.
@_exported public import NacreCore
@_exported public import NacreOpen
@_exported public import NacreRecords
