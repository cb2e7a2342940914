import Nacre

/// Sealed properties for providers of the application's own.
@Entity final class Safebox {
  var label = ""
  @Encrypted var code = 0
  @Encrypted var content: String?
}

/// A second entity with a property of the same name.
@Entity final class Drawer {
  @Column(unique: true) var number: Int?
  @Encrypted var content: String?
}
