import NacreCore

extension NacreError {
  /// Maps an error of a value, an expression or a lower module to `NacreError`, without a place.
  static func face(_ error: any Error) -> any Error {
    switch error {
    case let failure as DAOValue.Failure:
      NacreError.dao(.badArgument, failure.message).at(index: failure.element)
    case let failure as EvaluationError: NacreError.dao(.badArgument, failure.message)
    default: NacreError.wrap(error)
    }
  }

  /// The same error with the index of the loop's element; in nested loops, that of the outermost loop.
  static func located(_ error: any Error, atElement index: Int) -> any Error {
    if var failure = error as? DAOValue.Failure {
      failure.element = index
      return failure
    }
    let error = face(error)
    return (error as? NacreError)?.at(index: index) ?? error
  }
}
