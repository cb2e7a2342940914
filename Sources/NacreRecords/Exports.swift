// An application that imports this module needs stores, queries and the options of columns, too.
@_exported public import NacreCore
