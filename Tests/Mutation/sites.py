"""Finds the places in Swift sources where a mutant can be made: comparisons, connectives, statements and constants."""

import dataclasses
import re

FLIPPED = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&"}
OPERATOR = re.compile(r"(?<=\s)(==|!=|<=|>=|<|>|&&|\|\|)(?=\s)")
CONSTANT = re.compile(r"(?<=[ (\[])(true|false|\d+)(?=[\s),\]}])")
STATEMENT = re.compile(r"^ +(?:try )?[a-z][\w.?!]*(?:\(.*\)| [+-]?= .+)$", re.MULTILINE)
# Lines in which a literal has to stay one, or an operator is being declared.
FIXED_LINE = re.compile(r"^\s*(?:case|@|#|func|infix|precedencegroup|import|public import)\b|^\s*[@#]|static func [=<>]")


@dataclasses.dataclass
class Site:
    path: str
    start: int
    end: int
    kind: str
    source: str

    def change(self):
        """What the mutant does, in words."""
        if self.kind == "statement":
            return "left out"
        return f"{self.source} is {FLIPPED[self.source] if self.source in FLIPPED else self.swapped()}"

    def swapped(self):
        return {"true": "false", "false": "true"}.get(self.source) or str(int(self.source) + 1)

    def text(self, number):
        """What takes the place of the source text: both of them, and the switch."""
        if self.kind == "statement":
            return f"if !mutant({number}) {{ {self.source} }}"
        if self.kind == "constant":
            return f"(mutant({number}) ? {self.swapped()} : {self.source})"
        return operator(number)

    def declarations(self, number):
        """What the module has to declare for it."""
        if self.kind not in ("comparison", "connective"):
            return ""
        name, flipped, source = operator(number), FLIPPED[self.source], self.source
        if self.kind == "connective":
            precedence = "LogicalConjunctionPrecedence" if source == "&&" else "LogicalDisjunctionPrecedence"
            return f"""infix operator {name}: {precedence}
@usableFromInline
func {name} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{
  if mutant({number}) {{ return try a {flipped} b() }}
  return try a {source} b()
}}
"""
        overloads = [("<T: Equatable>" if source in ("==", "!=") else "<T: Comparable>", "T", "T"),
                     ("<T: BinaryInteger, U: BinaryInteger>", "T", "U")]
        if source in ("==", "!="):
            overloads += [("<T>", "T?", "_OptionalNilComparisonType"), ("", "Any.Type?", "Any.Type?")]
        return f"infix operator {name}: ComparisonPrecedence\n" + "".join(
            f"""@usableFromInline
func {name} {generics}(a: {left}, b: {right}) -> Bool {{
  mutant({number}) ? a {flipped} b : a {source} b
}}
""" for generics, left, right in overloads)


def operator(number):
    """An operator of the mutant's own: its number in two signs."""
    return "~" + f"{number:b}".replace("0", "^").replace("1", "%")


def masked(text):
    """The text with blanks in place of its comments and string literals, interpolations among them."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    # What only other systems compile.
    text = re.sub(r"^ *#if (?:canImport\((?:Darwin|UIKit|AppKit|CoreGraphics)\)|os\(macOS\))[\s\S]*?^ *#(?:else|elseif.*|endif)",
                  blank, text, flags=re.MULTILINE)
    # A quotation inside an interpolation ends the match early; what is left of it mutates to what does not compile.
    return re.sub(r'"""[\s\S]*?"""|#"[^\n]*?"#|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/', blank, text)


def sites(path, text):
    """All places of a file."""
    code = masked(text)
    found = []

    def line(offset):
        start = code.rfind("\n", 0, offset) + 1
        end = code.find("\n", offset)
        return code[start:end if end >= 0 else len(code)]

    def add(kind, start, end):
        if not FIXED_LINE.search(line(start)):
            found.append(Site(path, start, end, kind, text[start:end]))

    for match in OPERATOR.finditer(code):
        add("connective" if match.group() in ("&&", "||") else "comparison", *match.span())
    for match in CONSTANT.finditer(code):
        add("constant", *match.span())
    for match in STATEMENT.finditer(code):
        whole = match.group()
        start = match.start() + len(whole) - len(whole.lstrip())
        before, after = code[:match.start()].rstrip()[-1:], code[match.end():].lstrip()[:1]
        # One statement among others, whole on its line: not an argument, nor one link of a chain.
        if before in ("{", "}", ")") or before.isalnum():
            if after != "." and whole.count("(") == whole.count(")") and whole.count("{") == whole.count("}") \
                    and not re.match(r"\s*(?:nonisolated|private|static|public|package|weak|unowned|lazy|override|return|throw|let|var|guard|if|else|for|while|switch|defer|do|catch|super\.init|self\.init)\b", whole):
                add("statement", start, match.end())
    return found
