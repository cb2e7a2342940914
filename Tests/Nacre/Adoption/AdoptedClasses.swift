import Foundation
import Nacre

// The classes for which ADOPT.md has mappings, one namespace for each library.

enum OfSQPersist {
  @Entity final class Car {
    var name = ""
    var power = 0
    @Encrypted var vin: String?
    @Column(dates: .integer) var built: Date?
    var owner: User?
  }

  @Entity final class User {
    @Encrypted(searchable: true) var firstName = ""
  }
}

enum OfAYRecord {
  @Entity final class Teacher {
    var name = ""
  }

  @Entity final class Student {
    @Encrypted var name = ""
    var teacher: Link<Teacher>?
    @Encrypted var birthday: Date?
    var fee = Decimal(0)
  }
}

enum OfDBSQLite {
  struct Person: Record, Equatable {
    var id: Int64?
    var name = ""
    var address: String?
    var born: Date?

    static let columns: [RecordColumn<Person>] = [
      .key(\.id), .column(\.name), .column(\.address), .column(\.born),
    ]
  }
}

enum OfCTPersistance {
  @Entity final class Todo {
    @Encrypted var title = ""
    var isDone = false
    @Column(dates: .iso8601) var due: Date?
  }
}

enum OfMPaaS {
  @Entity final class Message {
    var conversation = ""
    @Encrypted var content: String?
    var time = Date(timeIntervalSince1970: 0)
    var isRead = false
  }
}

enum OfGRDB {
  @Entity final class Author {
    var name = ""
    var books: [Book] = []
  }

  @Entity final class Book {
    @Encrypted var title = ""
    var published: Date?
  }
}

enum OfFMDB {
  @Entity final class Contact {
    @Encrypted var name = ""
    @Encrypted(unique: true, normalizer: .digits) var phone = ""
    @Encrypted(hidesNil: true) var note: String?
    var added: Date?
  }
}

enum OfCoreData {
  @Entity final class Folder {
    var name = ""
    @Relationship(inverse: \Note.folder) var notes: [Note] = []
  }

  @Entity final class Note {
    @Encrypted var title = ""
    @Encrypted var created: Date?
    var token: UUID?
    var folder: Link<Folder>?
    var tags = Links<Tag>()
  }

  @Entity final class Tag {
    var name = ""
  }
}
