"""One case of a case file, and the two ways in which its bytes are written. README.md, "Values"."""

import re


class Mismatch(Exception):
    pass


def once(pairs):
    """JSON readers differ on a repeated member, so none may be there."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Mismatch(f"a repeated member among {[name for name, _ in pairs]}")
    return members


class Case:
    """One case, that remembers which members were read."""

    def __init__(self, members):
        self.members, self.read = members, {"comment", "expect"}

    def __getitem__(self, name):
        if name not in self.members:
            raise Mismatch(f"no member {name}")
        self.read.add(name)
        return self.members[name]

    def hex(self, *names):
        found = [from_hex(self[name]) for name in names]
        return found if len(found) > 1 else found[0]

    def parts(self, name):
        return from_parts(self[name])


def from_hex(text):
    # bytes.fromhex also takes blanks and capitals; other languages' readers may not.
    if not re.fullmatch("([0-9a-f]{2})*", text):
        raise Mismatch(f"not lower-case hex: {text[:40]}")
    return bytes.fromhex(text)


def from_parts(text):
    """Hex in which a piece `00*500` is 500 times that byte; blanks stand between pieces."""
    out = b""
    for piece in text.split(" "):
        byte, star, count = piece.partition("*")
        if star and not re.fullmatch("[0-9a-f]{2}[*][1-9][0-9]*", piece):
            raise Mismatch(f"not a byte and its count: {piece[:40]}")
        out += from_hex(byte) * (int(count) if star else 1)
    return out


def to_parts(data):
    """The inverse of `from_parts`; long runs of zeros are counted, and nothing else."""
    pieces = re.split(rb"(\0{24,})", data)
    return " ".join(f"00*{len(piece)}" if at % 2 else piece.hex()
                    for at, piece in enumerate(pieces) if piece)
