import Foundation
import NacreCore

/// The elements of a list or set, or the values of a dictionary in the order of their keys.
struct LoopElements {
  let values: [Any?]
  /// The keys of a dictionary; nil for any other collection.
  fileprivate let keys: [String]?

  /// The key of an element; its number, from 0, if it has no key.
  func key(at number: Int) -> Any {
    if let keys { return keys[number] }
    return number
  }
}

extension DAOValue {
  /// The elements of what a loop goes over; those of a set in no particular order.
  static func loopElements(of value: Any?, named path: ReferencePath) throws -> LoopElements {
    // Most loops go over an array, and each cast to a protocol costs as much as several elements.
    if let collection = value as? any LoopCollection {
      return LoopElements(values: elements(of: collection), keys: nil)
    }
    if let given = unwrapped(value), let members = members(of: given) {
      return LoopElements(values: members.map(\.value), keys: members.map(\.name))
    }
    return LoopElements(values: try elements(of: value, named: path), keys: nil)
  }

  /// The members of a dictionary whose keys are texts, in the order of their keys; nil for any other value.
  static func members(of value: Any) -> [(name: String, value: Any?)]? {
    var members: [(name: String, value: Any?)] = []
    switch value {
    case let dictionary as [String: Any?]:
      members = dictionary.map { ($0.key, unwrapped($0.value)) }
    case let dictionary as NSDictionary:
      for key in dictionary.allKeys {
        guard let name = key as? String ?? otherText(key) else { return nil }
        members.append((name, unwrapped(dictionary.object(forKey: key))))
      }
    default: return nil
    }
    return members.sorted { $0.name < $1.name }
  }
}
