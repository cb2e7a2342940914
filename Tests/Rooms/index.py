"""Reads the index store that a debug build leaves: which file uses which declarations of which other file."""
import collections
import ctypes
import os
import shutil
from pathlib import Path

# Values of indexstore.h.
RECORD = 2
EXTENSION = 9
DECLARATION_OR_DEFINITION = 0b11
REFERENCE = 0b100
IMPLICIT = 1 << 8


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


EACH_UNIT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
EACH = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)


class Index:
    """The units of the newest build of each file below a folder."""

    def __init__(self, store, folder):
        self.folder = Path(folder).resolve()
        self.library = Index.load()
        self.store = self.library.indexstore_store_create(str(store).encode(), None)
        if not self.store:
            raise SystemExit(f"{store} is no index store; run 'script/build --traits Tool,PostgreSQL --build-tests' first")

    @staticmethod
    def load():
        """The library of the toolchain whose `swift` is found first."""
        binary = Path(os.path.realpath(shutil.which("swift") or "swift"))
        for name in ["libIndexStore.so", "libIndexStore.dylib"]:
            path = binary.parent.parent / "lib" / name
            if path.exists():
                library = ctypes.CDLL(str(path))
                break
        else:
            raise SystemExit(f"there is no libIndexStore beside {binary}")
        pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint
        signatures = {
            "store_create": (pointer, [text, pointer]),
            "store_units_apply_f": (ctypes.c_bool, [pointer, number, pointer, EACH_UNIT]),
            "store_get_unit_modification_time": (
                ctypes.c_bool,
                [pointer, text, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64), pointer],
            ),
            "unit_reader_create": (pointer, [pointer, text, pointer]),
            "unit_reader_dispose": (None, [pointer]),
            "unit_reader_get_main_file": (Text, [pointer]),
            "unit_reader_dependencies_apply_f": (ctypes.c_bool, [pointer, pointer, EACH]),
            "unit_dependency_get_kind": (ctypes.c_int, [pointer]),
            "unit_dependency_get_name": (Text, [pointer]),
            "record_reader_create": (pointer, [pointer, text, pointer]),
            "record_reader_dispose": (None, [pointer]),
            "record_reader_occurrences_apply_f": (ctypes.c_bool, [pointer, pointer, EACH]),
            "occurrence_get_symbol": (pointer, [pointer]),
            "occurrence_get_roles": (ctypes.c_uint64, [pointer]),
            "symbol_get_kind": (ctypes.c_int, [pointer]),
            "symbol_get_usr": (Text, [pointer]),
            "symbol_get_name": (Text, [pointer]),
        }
        for name, (result, arguments) in signatures.items():
            function = getattr(library, "indexstore_" + name)
            function.restype, function.argtypes = result, arguments
        return library

    def units(self):
        names = []
        self.library.indexstore_store_units_apply_f(
            self.store, 0, None, EACH_UNIT(lambda _, name: names.append(str(name)) or True)
        )
        return names

    def records(self):
        """The records of each file, of its newest unit."""
        newest = {}
        for unit in self.units():
            reader = self.library.indexstore_unit_reader_create(self.store, unit.encode(), None)
            if not reader:
                continue
            file = Path(str(self.library.indexstore_unit_reader_get_main_file(reader)))
            if self.folder in file.parents and file.exists():
                found = []

                def note(_, dependency):
                    if self.library.indexstore_unit_dependency_get_kind(dependency) == RECORD:
                        found.append(str(self.library.indexstore_unit_dependency_get_name(dependency)))
                    return True

                self.library.indexstore_unit_reader_dependencies_apply_f(reader, None, EACH(note))
                age = self.age(unit)
                if file not in newest or newest[file][0] < age:
                    newest[file] = (age, found)
            self.library.indexstore_unit_reader_dispose(reader)
        return {str(file.relative_to(self.folder)): found for file, (_, found) in newest.items()}

    def age(self, unit):
        seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
        self.library.indexstore_store_get_unit_modification_time(
            self.store, unit.encode(), ctypes.byref(seconds), ctypes.byref(nanoseconds), None
        )
        return seconds.value, nanoseconds.value

    def uses(self):
        """For each file the names that it uses of other files: {file: {other: {name}}}."""
        homes, names, references = {}, {}, collections.defaultdict(set)
        for file, records in self.records().items():
            references[file]
            for record in records:
                reader = self.library.indexstore_record_reader_create(self.store, record.encode(), None)
                if not reader:
                    continue

                def note(_, occurrence):
                    symbol = self.library.indexstore_occurrence_get_symbol(occurrence)
                    roles = self.library.indexstore_occurrence_get_roles(occurrence)
                    if self.library.indexstore_symbol_get_kind(symbol) == EXTENSION:
                        return True
                    identity = str(self.library.indexstore_symbol_get_usr(symbol))
                    if roles & DECLARATION_OR_DEFINITION:
                        homes.setdefault(identity, file)
                        names[identity] = str(self.library.indexstore_symbol_get_name(symbol))
                    elif roles & REFERENCE and not roles & IMPLICIT:
                        references[file].add(identity)
                    return True

                self.library.indexstore_record_reader_occurrences_apply_f(reader, None, EACH(note))
                self.library.indexstore_record_reader_dispose(reader)
        uses = {}
        for file, identities in references.items():
            uses[file] = collections.defaultdict(set)
            for identity in identities:
                home = homes.get(identity)
                if home and home != file:
                    uses[file][home].add(names[identity])
        return uses
