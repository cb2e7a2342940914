/// Makes a class that calls a DAO's methods as those of a protocol; it stands in `NacreDAO`, which the file imports, too.
///
/// ```swift
/// import Nacre
/// import NacreDAO
///
/// @DAO protocol MessageDAO: DAOProtocol {
///   func addMessages(_ messages: [Message]) -> DAOResult
///   func find(_ id: Int?, _ time: Int?) throws -> [Message]
///   func getItem(_ index: Int) async throws -> String?
/// }
///
/// let messages = try DataCenter.shared.dao((any MessageDAO).self, config: url, userDependent: true)
/// for message in try messages.find(1234, nil) { … }
/// ```
/// A file with such a protocol imports NacreDAO, too.
///
/// A method calls that of the configuration which has its name and takes as many arguments; labels are free. When the DAO
/// is made, all methods are compared with the configuration, and one error lists all that does not match. What methods
/// take and give need not be named as models. All stand in the protocol itself: the proxy has none of a protocol that it
/// refines.
///
/// A method
/// - throws, and returns a value or nothing: the error of a call that failed is thrown. A value that there is no row for
///   is nil where the method returns an optional, and an error where it does not;
/// - or returns a `DAOResult`: the error is in it, beside what became of each element of a `foreach`;
/// - or neither throws nor returns anything: that a call failed goes unnoticed.
///
/// An `async` method does not keep its task's thread while it waits for the file. What it takes is declared `sending`
/// where it is not `Sendable`, as entities are not, and so is what it returns: `func all() async throws -> sending [Message]`.
///
/// In a module that is the main actor's by default the protocol's methods are called from the main actor, unless it is a
/// `nonisolated protocol`.
///
/// The proxy has the protocol's name with `Proxy` behind it and is found by it, so that the protocol may be public,
/// internal, or stand in another type, but not be private or stand in a function. A module that imports internally by
/// default says `public import NacreDAO` where the protocol is public.
@attached(peer, names: suffixed(Proxy))
public macro DAO() = #externalMacro(module: "NacreMacros", type: "DAOMacro")
