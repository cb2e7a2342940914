// An application only needs `import Nacre`.
@_exported public import NacreCore
@_exported public import NacreOpen
