#if PostgreSQL
import Foundation
import NacreCore
import NacreEngine
import NacreOpen
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Servers that can't do what a store asks for: each has an error of its own, after which the store goes on.
@Suite struct ServerErrorTests {
  private static func car(_ name: String) -> Car {
    let car = Car.create()
    car.name = name
    return car
  }

  private func code(_ body: () throws -> Void) -> NacreError.Code? {
    #expect(throws: NacreError.self, performing: body)?.code
  }

  // MARK: Words of others

  @Test(arguments: ["check_violation", "syntax_error", "raise_exception"])
  func `the words of an application's trigger, which can quote a value, are in no error`(
    state: String
  ) throws {
    let opened = try TestEngine.postgres.makeStore()
    try opened.store.write { _ in try Self.car("first").save() }
    try TestServer.connect(to: opened.path).execute(
      """
      CREATE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN RAISE EXCEPTION 'not %', NEW."name" USING ERRCODE = '\(state)'; END $$; \
      CREATE TRIGGER "refuse" BEFORE INSERT ON "Car" FOR EACH ROW EXECUTE FUNCTION "refuse"()
      """
    )
    let error = #expect(throws: NacreError.self) {
      try opened.store.write { _ in try Self.car("a value to hide").save() }
    }
    #expect(error != nil && !String(reflecting: error).contains("a value to hide"))
    #expect(error?.description.contains("the server's log") == true)
  }

  // MARK: Values

  private enum Hollow: RobotForm {
    static var parts: [RobotPart] { [.init("name"), .init("model", preset: "a\u{0}b")] }
  }

  @Test func `a default that the server can't hold is refused before a table is made`() throws {
    let opened = try TestEngine.postgres.makeStore()
    let error = #expect(throws: NacreError.self) {
      try opened.store.read { _ in _ = try Robot<Hollow>.fetchAll() }
    }
    #expect(error?.code == .valueMismatch && error?.property == "model")
    #expect(try TestServer.connect(to: opened.path).schema.hasTable("Robot") == false)
  }

  // MARK: Rights

  @Test func `a role that may not make tables, and a schema that is not there, are told by name`()
    throws
  {
    let server = try Cluster()
    try TestServer.connect(to: server.url).execute(
      "CREATE ROLE \"guest\" LOGIN; CREATE SCHEMA \"closed\"; GRANT USAGE ON SCHEMA \"closed\" TO \"guest\""
    )
    let url = server.url(of: "guest")
    for (schema, expected) in [("closed", NacreError.Code.notPermitted), ("none", .cannotOpen)] {
      let error = #expect(throws: NacreError.self) {
        try Store.open(url + "&options=-csearch_path%3D" + schema)
      }
      #expect(error?.code == expected, "\(String(describing: error))")
      #expect(error?.description.contains("schema") == true)
    }
  }

  // MARK: Passwords

  @Test func `a password that was changed is an error when the connection is opened anew`() throws {
    let server = try Cluster()
    let owner = try TestServer.connect(to: server.url)
    try owner.execute(
      "CREATE ROLE \"ada\" LOGIN PASSWORD 'first'; CREATE SCHEMA AUTHORIZATION \"ada\""
    )
    try server.write(
      "local all ada scram-sha-256\nlocal all all trust",
      to: "data/pg_hba.conf"
    )
    try owner.execute("SELECT pg_reload_conf()")
    let url = server.url(of: "ada:first")
    // The server reads the file a moment after it was told to.
    let refused = url.replacingOccurrences(of: "first", with: "wrong")
    while let connection = try? TestServer.connect(to: refused) {
      try connection.close()
      usleep(1000)
    }
    let store = try Store.open(url)
    try store.write { _ in try Self.car("A").save() }
    try owner.execute(
      """
      ALTER ROLE "ada" PASSWORD 'second'; \
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ada'
      """
    )
    #expect(code { try store.write { _ in try Self.car("B").save() } } == .connectionLost)
    let error = #expect(throws: NacreError.self) {
      try store.write { _ in try Self.car("B").save() }
    }
    #expect(error?.code == .cannotOpen)
    let words = String(describing: error)
    #expect(words.contains("password authentication failed"), "\(words)")
    #expect(!words.contains("first"))
    try owner.execute("ALTER ROLE \"ada\" PASSWORD 'first'")
    try store.write { _ in try Self.car("B").save() }
    #expect(try store.read { _ in try Car.count() } == 2)
    try store.close()
  }

  // MARK: Disks

  @Test(.enabled(if: SmallDisk.canMount, "only root can mount a small disk"))
  func `a full disk undoes the transaction, and the next one goes on`() throws {
    let opened = try TestEngine.postgres.makeStore()
    let owner = try TestServer.connect(to: TestPlace.asSuperuser(opened.path))
    try opened.store.write { _ in try Self.car("A").save() }
    let disk = try SmallDisk()
    defer { disk.unmount() }
    try owner.execute("CREATE TABLESPACE \"small\" LOCATION '\(disk.path)'")
    try owner.execute("ALTER TABLE \"Car\" SET TABLESPACE \"small\"")
    let cars = (0..<40).map { _ in
      Self.car(String((0..<200_000).map { _ in "abcdefghijklmnop".randomElement() ?? "a" }))
    }
    #expect(
      code { try opened.store.write { _ in for car in cars { try car.save() } } } == .diskFull
    )
    #expect(cars.allSatisfy { $0.hasChanges })
    #expect(try opened.store.read { _ in try Car.count() } == 1)
    try owner.execute("ALTER TABLE \"Car\" SET TABLESPACE pg_default; DROP TABLESPACE \"small\"")
    try opened.store.write { _ in for car in cars { try car.save() } }
    #expect(try opened.store.read { _ in try Car.count() } == 41)
  }

  @Test(
    .enabled(if: SmallDisk.canMount, "only root can mount a small disk"),
    .timeLimit(.minutes(15))
  )
  func `a save is stored once when the log has room again, for want of which the server ended`()
    throws
  {
    let server = try Cluster("max_wal_size = 4MB", options: ["--wal-segsize=1"])
    let disk = try SmallDisk(megabytes: 40)
    defer { disk.unmount() }
    let (log, ballast) = ("\(server.directory)/data/pg_wal", "\(disk.path)/ballast")
    func run(_ commands: String) throws { try Cluster.run("/bin/sh", ["-c", commands]) }
    try server.stop()
    try run("mv \(log) \(disk.path)/log && ln -s \(disk.path)/log \(log)")
    try server.start()
    var options = StoreOptions.patient
    // A save looks for so long whether it is stored.
    (options.busyTimeout, options.postgres.connectTimeout) = (5, 5)
    let store = try Store.open(server.url, options: options)
    try store.save([Self.car("A")])
    try run("cat /dev/zero >\(ballast) || true")
    let cars = (0..<80).map { _ in
      Self.car(String((0..<200_000).map { _ in "abcdefghijklmnop".randomElement() ?? "a" }))
    }
    let found = code { try store.save(cars) }
    // The server may still say why it ends, and nobody can be asked before there is room.
    let possible: [NacreError.Code?] = [.diskFull, .connectionLost, .commitUnknown]
    #expect(possible.contains(found), "\(String(describing: found))")
    #expect(cars.allSatisfy { $0.hasChanges })
    // It has ended by itself.
    try? server.stop()
    try run("rm \(ballast)")
    try server.start()
    let count = { try store.read { _ in try Car.count() } }
    // The session that reads has ended with the server.
    _ = try? count()
    #expect(try count() == 1)
    try store.save(cars)
    #expect(cars.allSatisfy { !$0.hasChanges })
    #expect(try count() == 81)
    try store.close()
  }
}
#endif
