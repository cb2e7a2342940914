/// The error for a borrower that asks a closed pool for a session.
package struct PoolClosedError: Error, Sendable, Equatable {}
