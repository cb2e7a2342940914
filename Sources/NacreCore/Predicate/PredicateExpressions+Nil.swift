public import Foundation
import NacreEngine

// Foundation compares only Equatable values with nil, and entities are not Equatable. `$0.engine == nil` is therefore
// built from Foundation's own expressions, so that it can be evaluated in memory as well.

extension PredicateExpressions {
  /// Whether a child, or a link's object, exists: its value compared with nil.
  public typealias ObjectTest<Object, Wrapped> = OptionalFlatMap<Object, Wrapped, Value<Bool>, Bool>
  where Object: PredicateExpression, Object.Output == Wrapped?

  /// `$0.engine == nil`, for a child, or for an object that a link has loaded.
  @_disfavoredOverload
  public static func build_Equal<Object, Wrapped: Entity>(
    lhs: Object,
    rhs: NilLiteral<Wrapped>
  ) -> Equal<ObjectTest<Object, Wrapped>, NilLiteral<Bool>>
  where Object: PredicateExpression, Object.Output == Wrapped? {
    build_Equal(lhs: build_flatMap(lhs) { _ in build_Arg(true) }, rhs: build_NilLiteral())
  }

  /// `$0.engine != nil`, for a child, or for an object that a link has loaded.
  @_disfavoredOverload
  public static func build_NotEqual<Object, Wrapped: Entity>(
    lhs: Object,
    rhs: NilLiteral<Wrapped>
  ) -> NotEqual<ObjectTest<Object, Wrapped>, NilLiteral<Bool>>
  where Object: PredicateExpression, Object.Output == Wrapped? {
    build_NotEqual(lhs: build_flatMap(lhs) { _ in build_Arg(true) }, rhs: build_NilLiteral())
  }
}

extension Link: Equatable {
  /// Links are equal when they refer to the same object.
  public static func == (a: Link, b: Link) -> Bool { a.identity == b.identity }
}
