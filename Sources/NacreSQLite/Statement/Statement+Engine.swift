import NacreEngine

// The methods are the protocol's as they stand.
extension Statement: PreparedStatement {}
