import Foundation

/// A collection that a loop can go over.
protocol LoopCollection {
  func forEachElement(_ body: (Any) throws -> Void) rethrows
}

extension Array: LoopCollection {
  func forEachElement(_ body: (Any) throws -> Void) rethrows {
    if Element.self == Any.self {
      // Code that does not know the type would wrap each element in another `Any`.
      for element in unsafeBitCast(self, to: [Any].self) { try body(element) }
    } else {
      for element in self { try body(element) }
    }
  }
}

extension ArraySlice: LoopCollection {
  func forEachElement(_ body: (Any) throws -> Void) rethrows {
    for element in self { try body(element) }
  }
}

extension Set: LoopCollection {
  func forEachElement(_ body: (Any) throws -> Void) rethrows {
    for element in self { try body(element) }
  }
}

extension NSArray: LoopCollection {
  func forEachElement(_ body: (Any) throws -> Void) rethrows {
    for element in self { try body(element) }
  }
}

extension NSSet: LoopCollection {
  func forEachElement(_ body: (Any) throws -> Void) rethrows {
    for element in self { try body(element) }
  }
}
