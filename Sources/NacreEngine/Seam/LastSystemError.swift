import Foundation

/// Returns the message for `errno`.
package func lastSystemError() -> String { String(cString: strerror(errno)) }
