"""Mutants that change nothing that anybody could notice: (path, line, change): why."""

EQUIVALENTS = {
    ("Sources/NacreCrypto/Index/Normalizer.swift", "mapped.reserveCapacity(text.count * 3)", "3 is 4"):
        "room that is reserved ahead",
    ("Sources/NacreCrypto/Primitives/ForkGeneration.swift", "private static let current = Atomic<UInt>(0)", "0 is 1"):
        "generations are compared, whatever the first is",
    ("Sources/NacreCore/Predicate/PredicateContext.swift", "aliasCount += 1", "1 is 2"): "aliases need different names",
    ("Sources/NacreTool/Files/NewFile.swift",
     "handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)", "true is false"):
        "the command ends, which closes it",
    ("Sources/NacreStore/DAOColumns/DAOStray.swift",
     "properties: (properties + others).sorted { $0.name < $1.name }", "< is <="):
        "no two properties of an entity have one name",
    ("Sources/NacreCore/Session/EntitySession+Observation.swift", "touched?.commit = nil", "left out"):
        "the next transaction begins without it; it is let go of sooner",
    ("Sources/NacreCore/Predicate/PredicateTerm.swift",
     "var negated: ScalarTerm { ScalarTerm(sql: PredicateSQL.not(settled.sql), isCondition: true) }", "true is false"):
        "asked only of terms that may be NULL",
    ("Sources/NacreCore/Query/Assignment.swift", "if amount > 0 {", "> is >="): "the guard before it leaves 0 out",
    ("Sources/NacreStore/Store/OpenCursor.swift", "limit = max(16, entries.count * 2)", "2 is 3"):
        "how often a list is tidied",
    ("Sources/NacreUpkeep/Rotation/PatternSearch.swift",
     "anchor = bytes.lastIndex { $0 > 8 && $0 != 0xFF } ?? bytes.count - 1", "> is >="):
        "which byte is looked for first",
    ("Sources/NacreStore/Store/RotationLock.swift", "guard descriptor >= 0 else {", ">= is >"):
        "descriptor 0 is the standard input's",
}
