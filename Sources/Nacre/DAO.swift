/// Makes a proxy class that calls a DAO's methods as those of a protocol.
///
/// The DAO is in `NacreDAO`, so a file with such a protocol must import that, too.
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
///
/// A method of the protocol calls the configuration's method of the same name with the same number of arguments; labels
/// are free. When you make the DAO, it compares all methods with the configuration and lists all mismatches in one
/// error. The types that methods take and return need not be named as models. Declare all methods in the protocol
/// itself: the proxy does not implement methods of a protocol that it refines.
///
/// A method has one of three forms:
/// - It throws, and returns a value or nothing. It throws the error of a failed call. If there is no row for the value,
///   it returns nil if its type is optional, and throws an error if not.
/// - It returns a `DAOResult`, which holds the error and the outcome of each element of a `foreach`.
/// - It neither throws nor returns anything. A failed call then goes unnoticed.
///
/// An `async` method does not block its task's thread while it waits for the file. Declare its arguments and its result
/// `sending` if they are not `Sendable`, as entities are not: `func all() async throws -> sending [Message]`.
///
/// In a module that is isolated to the main actor by default, you call the protocol's methods from the main actor,
/// unless the protocol is a `nonisolated protocol`.
///
/// The proxy has the protocol's name with the suffix `Proxy`, and Nacre finds it by that name. So the protocol may be
/// public, internal, or inside another type, but neither private nor inside a function. A module that imports
/// internally by default must say `public import NacreDAO` if the protocol is public.
@attached(peer, names: suffixed(Proxy))
public macro DAO() = #externalMacro(module: "NacreMacros", type: "DAOMacro")
