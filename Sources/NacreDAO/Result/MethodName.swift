/// The method that gave a result, as the result's errors name it.
///
/// It is a class, so that a call retains one object and copies no texts.
final class MethodName: Sendable {
  let module: String
  let id: String

  init(module: String, id: String) { (self.module, self.id) = (module, id) }
}
