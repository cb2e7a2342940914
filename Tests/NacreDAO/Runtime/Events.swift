import Synchronization

@testable import NacreDAO

/// What an event handler was told.
final class Events: Sendable {
  private let list = Mutex<[String]>([])
  var all: [String] { list.withLock { $0 } }

  func follow(_ dao: DAO) {
    dao.eventHandler = { [weak self] _, event in
      let text =
        switch event {
        case .shouldUpgrade(let table, let from, let to):
          "should \(table) \(from?.description ?? "-") \(to)"
        case .upgradeFailed(let table, _): "failed \(table)"
        case .tableCreated(let table): "created \(table)"
        case .tableDeleted(let table): "deleted \(table)"
        }
      self?.list.withLock { $0.append(text) }
    }
  }
}
